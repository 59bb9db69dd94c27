// The bubblewrap of this machine, and what its version can do.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { OperationError } from "../../lib/operation-error.ts";
import { NO_WALLS } from "../../ports/walls.ts";
import { run } from "../shared/run.ts";

export type Bwrap = { path: string; can: { size: boolean; disableUserns: boolean } };

const known = new Map<string, Bwrap["can"]>();

/** Asked for its version once for each file: a new one may be installed under a living daemon. */
export async function findBwrap(path: string | undefined): Promise<Bwrap> {
  const found = (path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "bwrap"))
    .find(isProgram);
  if (found === undefined) throw absent();
  const { ino, mtimeMs } = statSync(found);
  const stamp = `${found} ${ino} ${mtimeMs}`;
  const can = known.get(stamp) ?? (await abilities(found));
  known.set(stamp, can);
  return { path: found, can };
}

async function abilities(path: string): Promise<Bwrap["can"]> {
  const { stdout } = await run({
    argv: [path, "--version"],
    cwd: "/",
    env: {},
    timeoutMs: 10_000,
    maxBytes: 4096,
    what: "ask bubblewrap for its version",
  }).catch((error: unknown) => {
    if (!(error instanceof OperationError)) throw error;
    throw new OperationError(error.message, { code: NO_WALLS, cause: error });
  });
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)\.\d+/.exec(stdout) ?? [];
  const version = Number(major) * 1000 + Number(minor);
  return { size: version >= 7, disableUserns: version >= 8 };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The line is in the message: a question shows nothing else. */
const absent = (): OperationError =>
  new OperationError(
    '[isolation] mode = "bwrap" cannot be had: bwrap is not installed (apt-get install bubblewrap)',
    { code: NO_WALLS },
  );
