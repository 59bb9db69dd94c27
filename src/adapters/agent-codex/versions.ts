// What Pawl knows of the versions of Codex: its protocol is called experimental by its makers, and
// every version has its own.
import {
  askProgram,
  tooOld,
  untested,
  type Finding,
  type ProgramRequest,
  type Tested,
} from "../shared/program-version.ts";

/** The one that test/agents runs. */
const VERSION = "0.166.0";

export const TESTED: Tested = {
  title: "Codex",
  program: "codex",
  version: VERSION,
  install: `npm install -g @openai/codex@${VERSION}`,
};

export const problems = (request: ProgramRequest): Promise<string[]> => tooOld(request, TESTED);

export async function inspect(request: ProgramRequest): Promise<Finding[]> {
  const [newer, isSignedIn] = await Promise.all([untested(request, TESTED), signedIn(request)]);
  return [...(isSignedIn === false ? [SIGNED_OUT] : []), ...newer];
}

const SIGNED_OUT: Finding = {
  what: "Codex is not signed in: its agents would get no answer from a model",
  hint: "run `codex login`, or set OPENAI_API_KEY or a model provider in its config.toml",
  isSignedOut: true,
};

/** A key of another provider is not seen by it: such a user is not bothered. */
async function signedIn(request: ProgramRequest): Promise<boolean | undefined> {
  const { env } = request;
  if (env["OPENAI_API_KEY"] !== undefined || env["CODEX_API_KEY"] !== undefined) return undefined;
  const said = await askProgram(request, { program: "codex", words: ["login", "status"] });
  return said === undefined || !/not logged in/i.test(`${said.stdout}\n${said.stderr}`)
    ? undefined
    : false;
}

/** `pawl/0.166.0 (Debian …)`: the client's name, and the server's version. */
export const versionIn = (userAgent: string): string | undefined =>
  /\/(\d+\.\d+\.\d+)/.exec(userAgent)?.[1];
