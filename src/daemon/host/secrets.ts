// Where secrets come from: the environment of this process, or a `.env` file in PAWL_HOME that no
// other user can read. They are named in pawl.toml, never written there, and never given to agents.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";

export type Secrets = (name: string) => Promise<string | undefined>;

export const secretsFile = (home: string): string => join(home, ".env");

export function createSecrets(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Secrets {
  return async (name) => {
    const given = env[name];
    if (given !== undefined && given !== "") return given;
    return (await readSecrets(secretsFile(home)))[name];
  };
}

async function readSecrets(path: string): Promise<Record<string, string>> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) throw readableByOthers(path);
    return parseSecrets(await readFile(path, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    throw error;
  }
}

const readableByOthers = (path: string): OperationError =>
  new OperationError(`cannot use the secrets in ${path}: others can read the file`, {
    code: "secrets-exposed",
    hint: `chmod 600 ${path}`,
  });

/** `NAME=value` lines; quotes around the value and a leading `export` are left out. */
export function parseSecrets(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const match = /^\s*(?:export\s+)?(?<name>[A-Za-z_]\w*)\s*=\s*(?<value>.*?)\s*$/.exec(line);
    if (match?.groups === undefined) continue;
    const { name = "", value = "" } = match.groups;
    found[name] = /^(?<quote>["']).*\k<quote>$/.test(value) ? value.slice(1, -1) : value;
  }
  return found;
}
