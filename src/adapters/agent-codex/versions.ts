// What Pawl knows of the versions of Codex: its protocol is called experimental by its makers, and
// every version has its own.
import { join } from "node:path";
import { readUntrusted } from "../shared/untrusted-file.ts";
import {
  askProgram,
  tooOld,
  untested,
  type Finding,
  type ProgramRequest,
  type Tested,
} from "../shared/program-version.ts";

/** The one that test/agents runs. */
const VERSION = "0.169.0";

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

/** Undefined where a key or another provider than OpenAI is used: neither is seen by `login status`. */
async function signedIn(request: ProgramRequest): Promise<boolean | undefined> {
  const { env } = request;
  if (env["OPENAI_API_KEY"] !== undefined || env["CODEX_API_KEY"] !== undefined) return undefined;
  if (await hasOwnProvider(env)) return undefined;
  const said = await askProgram(request, { program: "codex", words: ["login", "status"] });
  return said === undefined || !/not logged in/i.test(`${said.stdout}\n${said.stderr}`)
    ? undefined
    : false;
}

const CONFIG_MAX_BYTES = 1024 * 1024;
/** At the top of config.toml, before its first table. */
const PROVIDER = /^\s*model_provider\s*=\s*["'](?<name>[^"']+)["']/m;

async function hasOwnProvider(env: Record<string, string>): Promise<boolean> {
  const home = env["CODEX_HOME"] ?? join(env["HOME"] ?? "/", ".codex");
  const text = await readUntrusted(join(home, "config.toml"), CONFIG_MAX_BYTES);
  const [top = ""] = (text ?? "").split(/^\s*\[/m);
  const name = PROVIDER.exec(top)?.groups?.["name"];
  return name !== undefined && name !== "openai";
}

/** `pawl/0.169.0 (Debian …)`: the client's name, and the server's version. */
export const versionIn = (userAgent: string): string | undefined =>
  /\/(\d+\.\d+\.\d+)/.exec(userAgent)?.[1];
