// The refs, the stash and the index of a checkpoint, in a repository that Pawl has just made.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Extra } from "./checkpoint-extra.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { bytesOfName } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { markLeftOut } from "./restore-sparse.ts";
import { kindsOf } from "./workspace-refs.ts";

type Content = { note: CheckpointNote; extra: Extra | undefined };

const STASH = "refs/stash";

export async function restoreRefs(
  context: GitContext,
  dir: string,
  { note, extra }: Content,
): Promise<void> {
  await restoreTags(context, extra);
  const all = [...note.refs, ...note.objects].map(([name, id]): [string, string] => [
    bytesOfName(name),
    id,
  ]);
  await updateRefs(context, dir, all);
  await restoreStash(dir, note);
  // What is recorded may be anything that an agent wrote into HEAD; then the branch stays as made.
  const expect = [0, 1, 128];
  if (note.branch !== undefined) {
    await context.git({ args: ["symbolic-ref", "HEAD", note.branch], dir, expect });
  } else if (note.head !== undefined) {
    await context.git({ args: ["update-ref", "--no-deref", "HEAD", note.head], dir, expect });
  }
}

/** All at once; where one of them has a name that git does not take, the others all the same. */
async function updateRefs(
  context: GitContext,
  dir: string,
  refs: [name: string, id: string][],
): Promise<void> {
  if (refs.length === 0) return;
  const stdin = Buffer.from(
    refs.map(([name, id]) => `update ${name}\0${id}\0\0`).join(""),
    "latin1",
  );
  const args = ["update-ref", "--stdin", "-z"];
  const result = await context.git({ args, dir, stdin, expect: [0, 1, 128] });
  if (result.exitCode === 0 || refs.length === 1) return;
  for (const ref of refs) await updateRefs(context, dir, [ref]);
}

/** Nothing else names a tag object in the hub; the same text is the same object. */
async function restoreTags(context: GitContext, extra: Extra | undefined): Promise<void> {
  const tags = extra?.tags ?? [];
  const there = await kindsOf(
    context,
    tags.map(([id]) => id),
  );
  for (const [id, text] of tags) {
    if (there.has(id)) continue;
    const stdin = Buffer.from(text, "latin1");
    await context.inHub(["hash-object", "-t", "tag", "-w", "--literally", "--stdin"], { stdin });
  }
}

/** The stash is the log of its ref: entries are written as git would have (it takes none of second 0). */
async function restoreStash(dir: string, { refs, kept }: CheckpointNote): Promise<void> {
  const top = refs.get(STASH);
  if (top === undefined) return;
  const entries = [...kept.filter((commit) => commit !== top), top];
  const zero = "0".repeat(top.length);
  const lines = entries.map(
    (commit, at) =>
      `${entries[at - 1] ?? zero} ${commit} Pawl <pawl@localhost> 1 +0000\trestored\n`,
  );
  const log = join(dir, "logs", STASH);
  await mkdir(dirname(log), { recursive: true });
  await writeFile(log, lines.join(""));
}

/** The index of `path/.git`, once its files are there. */
export async function restoreIndex(
  context: GitContext,
  path: string,
  { note, extra, leftOut }: Content & { leftOut: string[] },
): Promise<void> {
  const call = { dir: join(path, ".git"), cwd: path, env: { GIT_WORK_TREE: path } };
  const tree = note.head === undefined ? ["--empty"] : [note.head];
  await context.git({ args: ["read-tree", ...tree], ...call });
  const staged = extra?.staged ?? [];
  const replaced = staged.filter(({ stage }) => stage > 0).map((entry) => entry.path);
  const gone = [...new Set([...(extra?.unstaged ?? []), ...replaced])];
  const none = "0".repeat(note.tree.length);
  const lines = [
    ...gone.map((name) => `0 ${none} 0\t${name}`),
    ...staged.map(({ mode, id, stage, path: name }) => `${mode} ${id} ${stage}\t${name}`),
  ];
  if (lines.length > 0) {
    const stdin = Buffer.from(lines.map((line) => `${line}\0`).join(""), "latin1");
    await context.git({ args: ["update-index", "-z", "--index-info"], ...call, stdin });
  }
  await markLeftOut(context, call, leftOut);
  await context.git({ args: ["update-index", "-q", "--refresh"], ...call, expect: [0, 1] });
}
