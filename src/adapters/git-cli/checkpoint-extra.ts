// What a checkpoint holds beside the tree of files, in a commit of its own that hangs on it: what is
// only staged, tag objects and other things that refs name, and files under names that no tree takes.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Commit, Tree } from "../../core/ids.ts";
import { treeId } from "../../core/ids.ts";
import { committerOf } from "./authors.ts";
import { treeOf, writeCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { indexOf } from "./snapshot.ts";
import { listedPaths } from "./scan.ts";

/** One entry of an index or a tree; the path is a byte string. */
export type Entry = { mode: string; id: string; path: string };
export type StagedEntry = Entry & { stage: number };

export type Extra = {
  /** Entries of the index that differ from those of HEAD. */
  staged: StagedEntry[];
  /** Paths that HEAD has and the index has not. */
  unstaged: string[];
  /** Tag objects, each with its text (Latin-1). */
  tags: [id: string, text: string][];
  /** Files and trees that refs name. */
  objects: { id: string; kind: string }[];
  odd: Entry[];
};

/** The part of it that is no object of its own; byte strings as base64. */
type List = { unstaged: string[]; tags: [string, string][]; odd: string[] };

const base64 = (path: string): string => Buffer.from(path, "latin1").toString("base64");
const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("latin1");

/** The hash of what each commit was written from, so that the same is not written again. */
const writtenFrom = perContext(() => new Map<string, string>());

/** The commit that holds it; undefined where there is nothing to hold. */
export async function saveExtra(
  context: GitContext,
  { key, extra, before }: { key: string; extra: Extra; before: Commit | undefined },
): Promise<Commit | undefined> {
  if (Object.values(extra).every((part) => part.length === 0)) return undefined;
  const digest = createHash("sha256").update(JSON.stringify(extra)).digest("hex");
  if (before !== undefined && writtenFrom(context).get(before) === digest) return before;
  const tree = await writeTree(context, key, extra);
  const isSame = before !== undefined && (await treeOf(context, before)) === tree;
  const commit = isSame ? before : await writeExtra(context, tree);
  if (writtenFrom(context).size > MEMORY_MAX) writtenFrom(context).clear();
  writtenFrom(context).set(commit, digest);
  return commit;
}

const MEMORY_MAX = 200;

/** Always the same commit for the same tree. */
const writeExtra = (context: GitContext, tree: Tree): Promise<Commit> =>
  writeCommit(context, {
    tree,
    parents: [],
    message: "beside the files\n",
    author: committerOf(context),
    authorDate: "0 +0000",
    committedAtS: 0,
    unsigned: true,
  });

async function writeTree(context: GitContext, key: string, extra: Extra): Promise<Tree> {
  const index = `${indexOf(context, key)}.extra`;
  for (const file of [index, `${index}.lock`]) await rm(file, { force: true });
  const list: List = {
    unstaged: extra.unstaged.map(base64),
    tags: extra.tags.map(([id, text]) => [id, base64(text)]),
    odd: extra.odd.map(({ path }) => base64(path)),
  };
  const listed = await context.inHub(["hash-object", "-w", "--stdin"], {
    stdin: JSON.stringify(list),
  });
  const lines = [
    `100644 ${listed.stdout} 0\tlist`,
    ...extra.staged.map(({ mode, id, stage, path }) => `${mode} ${id} 0\tstaged/${stage}/${path}`),
    ...extra.odd.map(({ mode, id }, number) => `${mode} ${id} 0\todd/${number}`),
    ...extra.objects
      .filter(({ kind }) => kind === "blob")
      .map(({ id }) => `100644 ${id} 0\tblob/${id}`),
  ];
  const stdin = Buffer.from(lines.map((line) => `${line}\0`).join(""), "latin1");
  const env = { GIT_INDEX_FILE: index };
  await context.inHub(["update-index", "-z", "--index-info"], { stdin, env });
  for (const { id } of extra.objects.filter(({ kind }) => kind === "tree")) {
    await context.inHub(["read-tree", `--prefix=tree/${id}/`, id], { env });
  }
  const tree = treeId((await context.inHub(["write-tree"], { env })).stdout);
  await rm(index, { force: true });
  return tree;
}

export async function readExtra(context: GitContext, commit: Commit): Promise<Extra> {
  const [entries, text] = await Promise.all([
    listTree(context, commit),
    context.inHub(["cat-file", "blob", `${commit}:list`]),
  ]);
  const list = JSON.parse(text.stdout) as List;
  const staged = entries.flatMap((entry): StagedEntry[] => {
    const { stage, path } = /^staged\/(?<stage>\d)\/(?<path>.*)$/s.exec(entry.path)?.groups ?? {};
    return path === undefined ? [] : [{ ...entry, path, stage: Number(stage) }];
  });
  const byName = new Map(entries.map((entry) => [entry.path, entry]));
  const odd = list.odd.flatMap((path, number): Entry[] => {
    const entry = byName.get(`odd/${number}`);
    return entry === undefined ? [] : [{ ...entry, path: fromBase64(path) }];
  });
  return {
    staged,
    unstaged: list.unstaged.map(fromBase64),
    tags: list.tags.map(([id, tag]) => [id, fromBase64(tag)]),
    objects: objectsAmong(entries),
    odd,
  };
}

function objectsAmong(entries: Entry[]): Extra["objects"] {
  const found = new Map<string, string>();
  for (const { path } of entries) {
    const { kind, id } = /^(?<kind>blob|tree)\/(?<id>[0-9a-f]+)/.exec(path)?.groups ?? {};
    if (id !== undefined && kind !== undefined) found.set(id, kind);
  }
  return [...found].map(([id, kind]) => ({ id, kind }));
}

/** All files of a tree. */
export async function listTree(context: GitContext, tree: string): Promise<Entry[]> {
  const listed = await context.inHub(["ls-tree", "-r", "-z", tree]);
  return listedPaths(listed.bytes).map((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
    return { mode, id, path: line.slice(tab + 1) };
  });
}
