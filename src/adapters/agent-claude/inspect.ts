// What the doctor asks of Claude Code: whether it is signed in, and whether its version was tested.
import { OperationError } from "../../lib/operation-error.ts";
import { run } from "../shared/run.ts";
import { isOlder } from "../shared/is-older.ts";
import { NEWEST_TESTED, versionOf } from "./versions.ts";

/** Within the limit of one check of the doctor. */
const TIMEOUT_MS = 3_000;

type Request = { command: string[]; env: Record<string, string> };
type Finding = { what: string; hint: string; isNote?: true; isSignedOut?: true };

export async function inspect(request: Request, timeoutMs = TIMEOUT_MS): Promise<Finding[]> {
  const [version, isSignedIn] = await Promise.all([
    orUnknown(versionOf(request)),
    orUnknown(orSilent(signedIn(request, timeoutMs))),
  ]);
  const login = { false: [SIGNED_OUT], silent: [SILENT], true: [], undefined: [] };
  return [...login[`${isSignedIn}`], ...untested(version)];
}

const SIGNED_OUT: Finding = {
  what: "Claude Code is not signed in: its agents would stop at the login screen",
  hint: "run `claude auth login`, or set ANTHROPIC_API_KEY for the daemon",
  isSignedOut: true,
};

/** Without it the doctor would call a machine healthy on which no agent can work. */
const SILENT: Finding = {
  what: `Claude Code did not answer \`claude auth status\` within ${TIMEOUT_MS / 1000} s, so whether it is signed in is unknown`,
  hint: "run `claude auth status` yourself, or run `pawl doctor` again when the machine is less busy",
  isNote: true,
};

const untested = (version: string | undefined): Finding[] =>
  version === undefined || !isOlder(NEWEST_TESTED, version)
    ? []
    : [
        {
          what: `Claude Code ${version} is newer than ${NEWEST_TESTED}, the newest version that Pawl is tested with`,
          hint: `if agents behave strangely, \`npm install -g @anthropic-ai/claude-code@${NEWEST_TESTED}\` installs that one`,
          isNote: true,
        },
      ];

/** `auth status` reads files and variables only; it ends with 1 where it is signed out. */
async function signedIn(
  { command, env }: Request,
  timeoutMs: number,
): Promise<boolean | undefined> {
  const [program = "claude", ...words] = command;
  const argv = [program, ...words, "auth", "status"] as const;
  const limits = { cwd: "/", timeoutMs, maxBytes: 10_000 };
  const { stdout } = await run({ argv, env, ...limits, expect: [0, 1] });
  const told = /"loggedIn":\s*(true|false)/.exec(stdout)?.[1];
  return told === undefined ? undefined : told === "true";
}

async function orSilent(
  asked: Promise<boolean | undefined>,
): Promise<boolean | "silent" | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OperationError && error.code === "command-timeout") return "silent";
    throw error;
  }
}

/** A program that cannot be asked is another check's finding. */
async function orUnknown<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}
