// Saves a workspace on refs/pawl/checkpoints/{identity}: one commit holds the files as they are, and
// has the checkpoint before it, the agent's own commits and those of nested repositories as parents.
// Everything hangs on that one ref, which moves last: a crash leaves the older checkpoint whole.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Commit, Tree } from "../../core/ids.ts";
import type { CheckpointOutcome } from "../../core/session/checkpoint.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { Folder } from "../shared/folder.ts";
import { committerOf } from "./authors.ts";
import { readExtra, saveExtra } from "./checkpoint-extra.ts";
import type { CheckpointNote, NoteFacts, NotePlace } from "./checkpoint-note.ts";
import { formatFacts, formatNote, readNote, SKIPPED_MAX } from "./checkpoint-note.ts";
import { writeCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { deepPaths, repositoryPaths, saveOdd } from "./odd-files.ts";
import { exists } from "./hub.ts";
import { readRefFile, resolve } from "./refs.ts";
import type { SavedRefs } from "./save-refs.ts";
import { saveRefs } from "./save-refs.ts";
import { shownPath } from "./scan.ts";
import type { SaveLimits, Snapshot } from "./snapshot.ts";
import { indexOf, QUIET_MS, snapshot } from "./snapshot.ts";
import type { Staged } from "./staged.ts";
import { readStaged } from "./staged.ts";
import type { Place, WorkspaceRefs } from "./workspace-refs.ts";
import { workFiles } from "./work-files.ts";
import { readRefs } from "./workspace-refs.ts";

type Request = {
  workspace: string;
  identity: string;
  reason: string;
  quick?: true;
};

/** For a folder that was moved aside, and for a save that must be the last one. */
type How = {
  /** Where the folder is now. */
  at?: string;
  /** Large files are saved at once, also where they have just changed. */
  whole?: boolean;
};

export type Saved = {
  note: CheckpointNote;
  /** Not saved, though they hold something. */
  unsaved: string[];
  /** Pipes, sockets and devices, which hold nothing. */
  special: string[];
};

const NESTED_DEPTH_MAX = 5;

export async function checkpoint(
  context: GitContext,
  request: Request,
  how: How = {},
): Promise<CheckpointOutcome> {
  const result = await saveWorkspace(context, request, how);
  if (result === undefined) return { kind: "absent" };
  const { saved, isNew } = result;
  const skipped = [...saved.unsaved, ...saved.special].toSorted();
  const { commit } = saved.note;
  if (!isNew) return { kind: "unchanged", commit, skipped };
  return { kind: "saved", commit, skipped, files: await workFiles(context, saved.note) };
}

/** Undefined where there is no workspace. */
export async function saveWorkspace(
  context: GitContext,
  request: Request,
  how: How,
): Promise<{ saved: Saved; isNew: boolean } | undefined> {
  if (!/^[\w][\w.-]*$/.test(request.identity) || request.identity.includes("..")) {
    throw new OperationError(`cannot save ${request.identity}: not a name for a checkpoint`, {
      code: "identity-invalid",
    });
  }
  const path = how.at ?? request.workspace;
  if (!(await isFolder(path))) return undefined;
  const ref = checkpointRef(request.identity);
  const quick = request.quick === true && how.whole !== true;
  const quietMs = how.whole === true ? 0 : QUIET_MS;
  const limits = { maxBytes: context.fileMaxBytes, quietMs, quick };
  return context.serial(ref, async () => {
    const before = await lastNote(context, ref);
    const previous = before?.commit;
    const place = { path, key: request.workspace };
    const saved = await save(
      context,
      { place, reason: request.reason, limits },
      { before, depth: 0 },
    );
    const { commit } = saved.note;
    if (commit === previous) return { saved, isNew: false };
    await context.crash("git.checkpoint.commit-written");
    const old = previous ?? "0".repeat(commit.length);
    await context.inHub(["update-ref", ref, commit, old], { what: `move ${ref}` });
    await context.crash("git.checkpoint.ref-moved");
    notesOf(context).set(ref, saved.note);
    return { saved, isNew: true };
  });
}

export const CHECKPOINT_REFS = "refs/pawl/checkpoints/";
export const checkpointRef = (identity: string): string => `${CHECKPOINT_REFS}${identity}`;

/** Notes by ref; the ref itself says whether they still hold. */
const notesOf = perContext(() => new Map<string, CheckpointNote>());

/** From memory where it was just made; undefined where it is gone. */
export async function noteOf(
  context: GitContext,
  commit: Commit,
): Promise<CheckpointNote | undefined> {
  const remembered = [...notesOf(context).values()].find((note) => note.commit === commit);
  if (remembered !== undefined) return remembered;
  return (await resolve(context, commit)) === undefined ? undefined : readNote(context, commit);
}

async function lastNote(context: GitContext, ref: string): Promise<CheckpointNote | undefined> {
  const remembered = notesOf(context).get(ref);
  const commit = await readRefFile(context.hub, ref);
  if (remembered !== undefined && remembered.commit === commit) return remembered;
  const note = commit === undefined ? undefined : await readNote(context, commit);
  if (note !== undefined) notesOf(context).set(ref, note);
  return note;
}

const isFolder = async (path: string): Promise<boolean> =>
  (await ifThere(lstat(path)))?.isDirectory() ?? false;

type Chain = { before: CheckpointNote | undefined; depth: number };
type Save = { place: Place; reason: string; limits: SaveLimits };

/** The commit for what the folder holds now; the one before where nothing changed. */
async function save(context: GitContext, request: Save, chain: Chain): Promise<Saved> {
  const { place, limits } = request;
  const { before } = chain;
  // A fetch from a shallow clone would make the hub a shallow one.
  const isShallow = chain.depth > 0 && (await exists(join(place.path, ".git", "shallow")));
  const [taken, repository] = await Promise.all([
    context.serial(indexOf(context, place.key), () => snapshot(context, place, limits)),
    isShallow ? undefined : readRefs(context, place),
  ]);
  const inside = await saveNested(context, request, { ...chain, paths: taken.nested });
  const refs = await refsNow(context, { place, repository }, before);
  await context.crash("git.checkpoint.commits-copied");
  const beside = await saveBeside(context, request, { chain, taken, refs, repository });
  const facts: NoteFacts = { ...withoutRest(refs), extra: beside.extra, nested: inside.commits };
  const unsaved = [
    ...taken.skipped,
    ...inside.unsaved,
    ...beside.skipped,
    ...(beside.isRepositorySaved ? [] : refs.skipped),
  ].toSorted();
  const special = [...taken.special, ...inside.special];
  const skipped = [...unsaved, ...special].toSorted();
  const marks = { skipped, partial: taken.partial };
  if (before !== undefined && isSame(before, { ...facts, ...marks, tree: taken.tree })) {
    return { note: before, unsaved, special };
  }
  const parents = [before?.commit, facts.head, ...refs.fresh, ...inside.commits.values()];
  const note = await writeNote(context, {
    reason: request.reason,
    parents: [...parents, beside.extra],
    place: { number: (before?.number ?? 0) + 1, after: before?.number, ...marks },
    facts,
    tree: taken.tree,
  });
  return { note, unsaved, special };
}

type Content = NoteFacts & Pick<CheckpointNote, "tree" | "skipped" | "partial">;

const isSame = (before: CheckpointNote, now: Content): boolean =>
  before.tree === now.tree &&
  formatFacts(before) === formatFacts(now) &&
  listOf(before.skipped) === listOf(now.skipped) &&
  listOf(before.partial) === listOf(now.partial);

/** As much of it as a note records. */
const listOf = (paths: string[]): string => JSON.stringify(paths.slice(0, SKIPPED_MAX));

async function writeNote(
  context: GitContext,
  { reason, parents, place, facts, tree }: NewNote,
): Promise<CheckpointNote> {
  const atS = Math.floor(Date.now() / 1000);
  const commit = await writeCommit(context, {
    tree,
    parents: [...new Set(parents.filter((parent) => parent !== undefined))],
    message: formatNote(reason, place, facts),
    author: committerOf(context),
    authorDate: `${atS} +0000`,
    committedAtS: atS,
    unsigned: true,
  });
  return { commit, tree, ...place, ...facts };
}

type NewNote = {
  reason: string;
  parents: (Commit | undefined)[];
  place: NotePlace;
  facts: NoteFacts;
  tree: Tree;
};

/** Where the agent broke or removed its repository, the files still belong to the last one seen. */
async function refsNow(
  context: GitContext,
  { place, repository }: { place: Place; repository: WorkspaceRefs | undefined },
  before: CheckpointNote | undefined,
): Promise<SavedRefs> {
  if (repository !== undefined) {
    return saveRefs(context, { workspace: place.path, now: repository }, before);
  }
  const known = before?.extra === undefined ? undefined : await readExtra(context, before.extra);
  return {
    head: before?.head,
    branch: before?.branch,
    refs: before?.refs ?? new Map(),
    objects: before?.objects ?? new Map(),
    kept: before?.kept ?? [],
    also: before?.also ?? [],
    tags: known?.tags ?? [],
    loose: known?.objects ?? [],
    fresh: [],
    skipped: [".git"],
  };
}

const withoutRest = (refs: SavedRefs): Omit<NoteFacts, "extra" | "nested"> => ({
  head: refs.head,
  branch: refs.branch,
  refs: refs.refs,
  objects: refs.objects,
  kept: refs.kept,
  also: refs.also,
});

type Beside = {
  chain: Chain;
  taken: Snapshot;
  refs: SavedRefs;
  repository: WorkspaceRefs | undefined;
};

/** What the tree of files cannot hold. */
async function saveBeside(
  context: GitContext,
  { place, limits }: Save,
  { chain, taken, refs, repository }: Beside,
): Promise<{ extra: Commit | undefined; skipped: string[]; isRepositorySaved: boolean }> {
  const { before, depth } = chain;
  // A repository inside that cannot be copied by its commits (a shallow clone) is saved as files.
  const asFiles = depth > 0 && refs.skipped.length > 0 ? await repositoryPaths(place.path) : [];
  const deep = taken.isTooDeep ? await deepPaths(place.path) : [];
  const paths = [...new Set([...taken.odd, ...deep, ...asFiles])].toSorted();
  const sizes = { ...limits, now: Date.now() };
  const odd = await saveOdd(context, { folder: place.path, paths, limits: sizes });
  const staged =
    repository === undefined
      ? await stagedBefore(context, before)
      : await readStaged(context, place, refs.head);
  const extra = await saveExtra(context, {
    key: place.key,
    before: before?.extra,
    extra: {
      staged: staged.staged,
      unstaged: staged.unstaged,
      tags: refs.tags,
      objects: refs.loose,
      odd: odd.files,
    },
  });
  return {
    extra,
    skipped: [...odd.skipped, ...staged.skipped],
    isRepositorySaved: asFiles.length > 0 && odd.skipped.length === 0,
  };
}

async function stagedBefore(
  context: GitContext,
  before: CheckpointNote | undefined,
): Promise<Staged> {
  const known = before?.extra === undefined ? undefined : await readExtra(context, before.extra);
  return { staged: known?.staged ?? [], unstaged: known?.unstaged ?? [], skipped: [] };
}

type Inside = { commits: Map<string, Commit>; unsaved: string[]; special: string[] };

async function saveNested(
  context: GitContext,
  request: Save,
  chain: Chain & { paths: string[] },
): Promise<Inside> {
  const found: Inside = { commits: new Map(), unsaved: [], special: [] };
  if (chain.paths.length === 0) return found;
  await using root = await Folder.open(Buffer.from(`${request.place.path}/.`));
  for (const path of chain.paths) {
    await using folder = await root.enter(path);
    if (folder === undefined) continue;
    if (chain.depth === NESTED_DEPTH_MAX) {
      found.unsaved.push(shownPath(path));
      continue;
    }
    const previous = chain.before?.nested.get(path);
    const before = previous === undefined ? undefined : await readNote(context, previous);
    const place = { path: folder.path, key: `${request.place.key}/${path}` };
    const saved = await save(context, { ...request, place }, { before, depth: chain.depth + 1 });
    found.commits.set(path, saved.note.commit);
    const below = (name: string): string => `${shownPath(path)}/${name}`;
    found.unsaved.push(...saved.unsaved.map(below));
    found.special.push(...saved.special.map(below));
  }
  return found;
}
