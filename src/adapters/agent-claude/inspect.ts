// What the doctor asks of Claude Code: whether it is signed in, and whether its version was tested.
import { OperationError } from "../../lib/operation-error.ts";
import { run } from "../shared/run.ts";
import { isOlder } from "../shared/is-older.ts";
import { NEWEST_TESTED, versionOf } from "./versions.ts";

/** Within the limit of one check of the doctor. */
const TIMEOUT_MS = 3_000;

type Request = { command: string[]; env: Record<string, string> };
type Finding = { what: string; hint: string; isNote?: true; isSignedOut?: true };

export async function inspect(request: Request): Promise<Finding[]> {
  const [version, isSignedIn] = await Promise.all([
    orUnknown(versionOf(request)),
    orUnknown(signedIn(request)),
  ]);
  return [...(isSignedIn === false ? [SIGNED_OUT] : []), ...untested(version)];
}

const SIGNED_OUT: Finding = {
  what: "Claude Code is not signed in: its agents would stop at the login screen",
  hint: "run `claude auth login`, or set ANTHROPIC_API_KEY for the daemon",
  isSignedOut: true,
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
async function signedIn({ command, env }: Request): Promise<boolean | undefined> {
  const [program = "claude", ...words] = command;
  const argv = [program, ...words, "auth", "status"] as const;
  const limits = { cwd: "/", timeoutMs: TIMEOUT_MS, maxBytes: 10_000 };
  const { stdout } = await run({ argv, env, ...limits, expect: [0, 1] });
  const told = /"loggedIn":\s*(true|false)/.exec(stdout)?.[1];
  return told === undefined ? undefined : told === "true";
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
