// What Pawl knows of the versions of Codex: its protocol is called experimental by its makers, and
// every version has its own.
import { OperationError } from "../../lib/operation-error.ts";
import { isOlder } from "../shared/is-older.ts";
import { run } from "../shared/run.ts";

/** The one that test/agents runs. */
export const OLDEST_TESTED = "0.166.0";
export const NEWEST_TESTED = "0.166.0";
const TIMEOUT_MS = 5_000;

type Request = { command: string[]; env: Record<string, string> };
type Finding = { what: string; hint: string; isNote?: true };

const INSTALL = `npm install -g @openai/codex@${NEWEST_TESTED}`;

export async function problems(request: Request): Promise<string[]> {
  const version = await versionOf(request);
  if (version === undefined || !isOlder(version, OLDEST_TESTED)) return [];
  return [
    `Codex ${version} is older than ${OLDEST_TESTED}, the oldest version that Pawl is tested with: it may not understand what Pawl asks of it (\`${INSTALL}\` installs that one)`,
  ];
}

export async function inspect(request: Request): Promise<Finding[]> {
  const [version, isSignedIn] = await Promise.all([versionOf(request), signedIn(request)]);
  return [...(isSignedIn === false ? [SIGNED_OUT] : []), ...untested(version)];
}

const SIGNED_OUT: Finding = {
  what: "Codex is not signed in: its agents would get no answer from a model",
  hint: "run `codex login`, or set OPENAI_API_KEY or a model provider in its config.toml",
};

const untested = (version: string | undefined): Finding[] =>
  version === undefined || !isOlder(NEWEST_TESTED, version)
    ? []
    : [
        {
          what: `Codex ${version} is newer than ${NEWEST_TESTED}, the newest version that Pawl is tested with`,
          hint: `if agents behave strangely, \`${INSTALL}\` installs that one`,
          isNote: true,
        },
      ];

/** Undefined where the program does not tell it. */
async function versionOf(request: Request): Promise<string | undefined> {
  const said = await ask(request, ["--version"]);
  return /^codex-cli (\d+\.\d+\.\d+)/m.exec(said?.stdout ?? "")?.[1];
}

/** A key of another provider is not seen by it: such a user is not bothered. */
async function signedIn(request: Request): Promise<boolean | undefined> {
  const { env } = request;
  if (env["OPENAI_API_KEY"] !== undefined || env["CODEX_API_KEY"] !== undefined) return undefined;
  const said = await ask(request, ["login", "status"]);
  return said === undefined || !/not logged in/i.test(`${said.stdout}\n${said.stderr}`)
    ? undefined
    : false;
}

/** A program that cannot be asked is another check's finding. */
async function ask(
  { command, env }: Request,
  words: string[],
): Promise<{ stdout: string; stderr: string } | undefined> {
  const [program = "codex", ...own] = command;
  const limits = { cwd: "/", timeoutMs: TIMEOUT_MS, maxBytes: 10_000, expect: [0, 1] };
  try {
    return await run({ argv: [program, ...own, ...words], env, ...limits });
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/** `pawl/0.166.0 (Debian …)`: the client's name, and the server's version. */
export const versionIn = (userAgent: string): string | undefined =>
  /\/(\d+\.\d+\.\d+)/.exec(userAgent)?.[1];
