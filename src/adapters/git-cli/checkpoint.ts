// Saves a workspace on refs/pawl/checkpoints/{identity}: one commit holds the files as they are, and
// has the checkpoint before it, the agent's own commits and those of nested repositories as parents.
// Everything hangs on that one ref, which moves last: a crash leaves the older checkpoint whole.
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import type { CheckpointOutcome } from "../../core/session/checkpoint.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { committerOf } from "./authors.ts";
import type { CheckpointNote, NoteFacts, NotePlace } from "./checkpoint-note.ts";
import { formatFacts, formatNote, readNote } from "./checkpoint-note.ts";
import { writeCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { readRefFile, resolve } from "./refs.ts";
import { indexOf, snapshot } from "./snapshot.ts";
import type { WorkspaceRefs } from "./workspace-refs.ts";
import { copyCommits, readRefs } from "./workspace-refs.ts";

type Request = { workspace: string; identity: string; reason: string };
type Saved = { note: CheckpointNote; skipped: string[] };

const NESTED_DEPTH_MAX = 5;
const PARENTS_MAX = 64;

export async function checkpoint(
  context: GitContext,
  request: Request,
): Promise<CheckpointOutcome> {
  if (!/^[\w][\w.-]*$/.test(request.identity) || request.identity.includes("..")) {
    throw new OperationError(`cannot save ${request.identity}: not a name for a checkpoint`, {
      code: "identity-invalid",
    });
  }
  if (!(await isFolder(request.workspace))) return { kind: "absent" };
  const ref = checkpointRef(request.identity);
  return context.serial(ref, async () => {
    const before = await lastNote(context, ref);
    const previous = before?.commit;
    const saved = await save(context, request, { before, depth: 0 });
    const { commit } = saved.note;
    const { skipped } = saved;
    if (commit === previous) return { kind: "unchanged", commit, skipped };
    await context.crash("git.checkpoint.commit-written");
    const old = previous ?? "0".repeat(commit.length);
    await context.inHub(["update-ref", ref, commit, old], { what: `move ${ref}` });
    await context.crash("git.checkpoint.ref-moved");
    notesOf(context).set(ref, saved.note);
    return { kind: "saved", commit, skipped };
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

/** The commit for what the folder holds now; the one before where nothing changed. */
async function save(context: GitContext, request: Request, chain: Chain): Promise<Saved> {
  const { workspace } = request;
  const [taken, repository] = await Promise.all([
    context.serial(indexOf(context, workspace), () => snapshot(context, workspace)),
    readRefs(context, workspace),
  ]);
  const inside = await saveNested(context, request, { ...chain, paths: taken.nested });
  const refs = repository ?? lastKnown(chain.before);
  const wanted = newCommits(refs, chain.before);
  const known = await commitsOfHub(context, refs);
  const copied = await copyCommits(
    context,
    workspace,
    wanted.filter((commit) => !known.has(commit)),
  );
  await context.crash("git.checkpoint.commits-copied");
  const now = copied ? refs : lastKnown(chain.before);
  const facts: NoteFacts = { ...now, nested: inside.commits };
  const broken = copied && repository !== undefined ? [] : [".git"];
  const skipped = [...taken.skipped, ...inside.skipped, ...broken];
  const same =
    chain.before?.tree === taken.tree && formatFacts(chain.before) === formatFacts(facts);
  if (same && chain.before !== undefined) return { note: chain.before, skipped };
  const own = copied ? wanted : [];
  const parents = [chain.before?.commit, now.head, ...own, ...inside.commits.values()];
  const atS = Math.floor(Date.now() / 1000);
  const after = chain.before?.number;
  const place: NotePlace = { number: (after ?? 0) + 1, after, skipped };
  const commit = await writeCommit(context, {
    tree: taken.tree,
    parents: [...new Set(parents.filter((parent) => parent !== undefined))].slice(0, PARENTS_MAX),
    message: formatNote(request.reason, place, facts),
    author: committerOf(context),
    authorDate: `${atS} +0000`,
    committedAtS: atS,
    unsigned: true,
  });
  return { note: { commit, tree: taken.tree, ...place, ...facts }, skipped };
}

/** Where the agent broke or removed its repository, the files still belong to the last one seen. */
const lastKnown = (before: CheckpointNote | undefined): WorkspaceRefs => ({
  head: before?.head,
  branch: before?.branch,
  refs: before?.refs ?? new Map(),
  kept: before?.kept ?? [],
});

function newCommits(refs: WorkspaceRefs, before: CheckpointNote | undefined): Commit[] {
  const all = [refs.head, ...refs.refs.values(), ...refs.kept].filter((id) => id !== undefined);
  const seen = new Set([before?.head, ...(before?.refs.values() ?? []), ...(before?.kept ?? [])]);
  return [...new Set(all)].filter((id) => !seen.has(id));
}

/** What the hub surely has: a fetch that finds nothing to do still costs five processes. */
async function commitsOfHub(context: GitContext, { refs }: WorkspaceRefs): Promise<Set<string>> {
  const names = [context.targetRef, ...[...refs.keys()].slice(0, PARENTS_MAX)];
  const found = await Promise.all(names.map((name) => readRefFile(context.hub, name)));
  return new Set(found.filter((commit) => commit !== undefined));
}

async function saveNested(
  context: GitContext,
  request: Request,
  chain: Chain & { paths: string[] },
): Promise<{ commits: Map<string, Commit>; skipped: string[] }> {
  const commits = new Map<string, Commit>();
  const skipped: string[] = [];
  for (const bytes of chain.paths) {
    const path = Buffer.from(bytes, "latin1").toString("utf8");
    if (chain.depth === NESTED_DEPTH_MAX) {
      skipped.push(path);
      continue;
    }
    const previous = chain.before?.nested.get(path);
    const before = previous === undefined ? undefined : await readNote(context, previous);
    const workspace = join(request.workspace, path);
    const saved = await save(
      context,
      { ...request, workspace },
      { before, depth: chain.depth + 1 },
    );
    commits.set(path, saved.note.commit);
    skipped.push(...saved.skipped.map((name) => join(path, name)));
  }
  return { commits, skipped };
}
