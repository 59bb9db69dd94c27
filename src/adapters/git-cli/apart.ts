// A git that looks into an agent's workspace runs inside walls of its own, where the project has walls.
// Git follows links, and reads `.git` as the agent left it: outside, a link in place of `.git/refs` or of a
// file would bring what it leads to into the hub, where the agent can read it. Inside there is nothing of
// the machine but the hub and this workspace, also for a link that is put in its place while git runs.
import { readlinkSync } from "node:fs";
import process from "node:process";
import type { RunRequest } from "../shared/run.ts";

export type Apart = {
  /** The folder of all workspaces of the project. */
  workspaces: string;
  around: (
    argv: readonly string[],
    room: { cwd: string; env: Record<string, string>; write: string[] },
  ) => Promise<[string, ...string[]]>;
};

type Call = Pick<RunRequest, "argv" | "cwd" | "env">;

/** The same call, inside walls where it names a workspace. */
export async function setApart<T extends Call>(
  call: T,
  { workspaces, around, hub }: Apart & { hub: string },
): Promise<T> {
  const env = Object.fromEntries(
    Object.entries(call.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, realPath(value)]],
    ),
  );
  const cwd = realPath(call.cwd);
  const argv = call.argv.map(realPath);
  const named = [cwd, ...argv, ...Object.values(env)].flatMap(
    (word) => workspaceOf(word, workspaces) ?? [],
  );
  if (named.length === 0) return call;
  const write = [hub, ...new Set(named)];
  return { ...call, argv: await around(argv, { cwd, env, write }), env, cwd };
}

const HELD = new RegExp(`^/proc/${process.pid}/fd/\\d+`);

/** A folder that this process holds open has no such name inside. */
const realPath = (word: string): string => word.replace(HELD, (held) => readlinkSync(held));

function workspaceOf(word: string, workspaces: string): string | undefined {
  if (!word.startsWith(`${workspaces}/`)) return undefined;
  const [name = ""] = word.slice(workspaces.length + 1).split("/");
  return `${workspaces}/${name}`;
}
