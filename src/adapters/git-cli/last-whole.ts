// The checkpoint that a lost workspace is rebuilt from: the newest one, unless it was made while
// the workspace was being deleted. Most of the files gone within a minute is no work but the
// beginning of the loss; what that checkpoint held stays on the chain.
import type { Tree } from "../../core/ids.ts";
import { checkpointRef } from "./checkpoint.ts";
import { readChain } from "./checkpoint-chain.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { resolve } from "./refs.ts";

const LOOKED_BACK_S = 60;
const LOOKED_BACK_MAX = 30;

/** Undefined where the identity has none of this branch: another issue may have had its name. */
export async function lastWhole(
  context: GitContext,
  { identity, branch }: { identity: string; branch: string },
): Promise<CheckpointNote | undefined> {
  const tip = await resolve(context, checkpointRef(identity));
  if (tip === undefined) return undefined;
  const links = await readChain(context, tip, LOOKED_BACK_MAX);
  const newest = links[0]?.committedAtS ?? 0;
  const recent = links.filter((link) => newest - link.committedAtS <= LOOKED_BACK_S);
  const counted = await Promise.all(recent.map(({ tree }) => countFiles(context, tree)));
  const most = Math.max(...counted);
  const whole = recent.find((_, index) => (counted[index] ?? 0) * 2 > most);
  const note = await readNote(context, whole?.commit ?? tip);
  return note.refs.has(`refs/heads/${branch}`) ? note : undefined;
}

async function countFiles(context: GitContext, tree: Tree): Promise<number> {
  const listed = await context.inHub(["ls-tree", "-r", "-z", "--name-only", tree]);
  return listed.bytes.filter((byte) => byte === 0).length;
}
