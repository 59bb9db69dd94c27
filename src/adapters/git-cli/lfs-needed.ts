// Whether a repository needs Git LFS, and whether this machine has it.
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { alikeBelow } from "./alike.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";

/** A commit never changes. */
const asked = perContext(() => new Map<string, Promise<boolean>>());
const installed = perContext((): { yes?: true } => ({}));
const REMEMBERED_MAX = 10_000;

/** Whether a .gitattributes of the commit asks for it. */
export async function usesLfs(
  context: GitContext,
  commit: Commit,
  dir: string = context.hub,
): Promise<boolean> {
  const memory = asked(context);
  const same = [...alikeBelow(context, commit)].find((other) => memory.has(other));
  const known = same === undefined ? undefined : memory.get(same);
  if (known !== undefined) return known;
  const asking = ask(context, commit, dir);
  remember(context, commit, asking);
  try {
    return await asking;
  } catch (error) {
    memory.delete(commit);
    throw error;
  }
}

async function ask(context: GitContext, commit: Commit, dir: string): Promise<boolean> {
  const args = ["grep", "-q", "-I", "-e", "filter=lfs", commit, "--", ":(glob)**/.gitattributes"];
  return (await context.git({ args, dir, expect: [0, 1] })).exitCode === 0;
}

/** Its attributes are those of a commit that does not ask for it. */
export const usesNoLfs = (context: GitContext, commit: Commit): void =>
  remember(context, commit, Promise.resolve(false));

function remember(context: GitContext, commit: Commit, uses: Promise<boolean>): void {
  if (asked(context).size >= REMEMBERED_MAX) asked(context).clear();
  asked(context).set(commit, uses);
}

export async function requireLfs(context: GitContext): Promise<void> {
  if (installed(context).yes === true) return;
  const { exitCode } = await context.git({ args: ["lfs", "version"], cwd: "/", expect: [0, 1] });
  if (exitCode !== 0) {
    throw new OperationError(
      "cannot work with this repository: its .gitattributes asks for Git LFS, and git-lfs is not installed",
      { code: "lfs-missing", hint: "install git-lfs (Debian, Ubuntu: apt install git-lfs)" },
    );
  }
  installed(context).yes = true;
}
