// Commits that reached the user's target by a push into their repository, which Pawl never does there:
// it lands by moving the ref itself. Kept on refs/pawl/outside/{commit} of the hub, so that it is said
// whichever call was the first to see them, until it is acknowledged.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { commitId, type Commit } from "../../core/ids.ts";
import { ifThere } from "../../lib/if-there.ts";
import type { GitContext } from "./context.ts";
import { deleteRef, hasRefsBelow, resolve, setRef } from "./refs.ts";

const OUTSIDE = "refs/pawl/outside/";
const LOG_MAX_BYTES = 256 * 1024;
const SHOWN_MAX = 20;

/** `from` is what the hub knew, `to` what is there now; both are in the hub. */
export async function noteOutside(
  context: GitContext,
  dir: string,
  { from, to }: { from: Commit; to: Commit },
): Promise<void> {
  for (const commit of await pushedSince(
    join(dir, "logs", "refs", "heads", context.target),
    from,
  )) {
    const known = commit === to || (await resolve(context, commit)) !== undefined;
    if (known) await setRef(context, `${OUTSIDE}${commit}`, commit);
  }
}

/** What the log of the branch says came by a push, newest first, back to `from`. */
async function pushedSince(file: string, from: Commit): Promise<Commit[]> {
  const found: Commit[] = [];
  for (const line of (await endOf(file)).split("\n").toReversed()) {
    const [, id = "", said = ""] = /^\S+ ([0-9a-f]{40,64}) [^\t]*\t?(.*)$/.exec(line) ?? [];
    if (id === from) return found;
    if (id !== "" && said.startsWith("push")) found.push(commitId(id));
  }
  return found;
}

async function endOf(file: string): Promise<string> {
  const handle = await ifThere(open(file));
  if (handle === undefined) return "";
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, LOG_MAX_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8");
  } finally {
    await handle.close();
  }
}

export async function outside(
  context: GitContext,
  { acknowledged }: { acknowledged: readonly Commit[] },
): Promise<{ commit: Commit; subject: string }[]> {
  for (const commit of acknowledged) await deleteRef(context, `${OUTSIDE}${commit}`, undefined);
  if (!(await hasRefsBelow(context.hub, OUTSIDE))) return [];
  const args = [
    "for-each-ref",
    "--sort=-committerdate",
    `--count=${SHOWN_MAX}`,
    "--format=%(objectname) %(subject)",
    OUTSIDE,
  ];
  const lines = (await context.inHub(args)).stdout.split("\n").filter(Boolean);
  return lines.map((line) => {
    const space = line.indexOf(" ");
    return { commit: commitId(line.slice(0, space)), subject: line.slice(space + 1) };
  });
}
