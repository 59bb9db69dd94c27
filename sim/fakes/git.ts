// Git of a simulated project, in several steps where the real one has several: a daemon can die
// between them, and the repeated call must find what was left.
import type { Commit } from "../../src/core/ids.ts";
import type { LandingOutcome } from "../../src/core/merge-queue/entry.ts";
import { assert } from "../../src/lib/assert.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type {
  BranchPush,
  BranchState,
  CandidateOutcome,
  CandidateRequest,
  Git,
} from "../../src/ports/git.ts";
import { chorePlugin } from "../chore.ts";
import type { Life } from "../life.ts";
import { mergeOrResolve } from "./resolver.ts";
import { contentOf, type SimProject, type Workspace } from "../world.ts";

type Context = { life: Life; project: SimProject };

export function createFakeGit(life: Life, project: SimProject): Git {
  const context = { life, project };
  const { repository } = project;
  return {
    fetchTarget: async () => project.target,
    treeOf: async (commit) => repository.treeOf(commit),
    readFile: async (commit, path) => repository.files(commit).get(path),
    targetFiles: async ({ folder }) =>
      folder === "plugins" && life.world.options.chores ? chorePlugin() : [],
    prepareWorkspace: (request) => prepareWorkspace(context, request),
    fetchBranch: async (request) => fetchBranch(context, request),
    adoptBranches: async ({ branches }) =>
      branches.map((branch) => {
        const head = project.upstreamBranches.get(branch);
        if (head === undefined) return undefined;
        project.branches.set(branch, head);
        return { head, from: "upstream", subject: branch, bytes: 0 };
      }),
    changesOf: async () => ({ diff: "", files: [] }),
    pushBranch: async (request) => pushBranch(context, request),
    deleteBranch: (request) => deleteBranch(context, request),
    buildCandidate: (request) => buildCandidate(context, request),
    releaseCandidate: async (ref) => {
      project.queueRefs.delete(ref);
    },
    conflicts: async (request) => conflicts(project, request),
    changedBy: async (request) => repository.changedBy(request),
    changedPaths: async (chain) =>
      chain.slice(1).map((commit, index) => {
        const [before, after] = [chain[index] ?? commit, commit].map((one) =>
          repository.files(one),
        );
        const paths = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
        return [...paths].filter((path) => before?.get(path) !== after?.get(path));
      }),
    land: (request) => land(context, request),
    contains: async (request) => contains(project, request),
    checkout: async ({ commit }) => ({ tree: repository.treeOf(commit) }),
    checkpoint: (request) => checkpoint(context, request),
    outside: async () => [],
    tryPush: async () => undefined,
    underWay: async () => [],
    compare: async () => ({ log: "", diff: "", files: ["a.txt"] }),
    summary: async () => ({ log: "", stat: "", diff: "" }),
    removeWorkspace: (request) => removeWorkspace(context, request),
    targetLog: async ({ limit }) => [{ commit: project.target, subject: "tip" }].slice(0, limit),
  };
}

async function prepareWorkspace(
  { life, project }: Context,
  request: Parameters<Git["prepareWorkspace"]>[0],
): Promise<{ base: Commit; head: Commit; found: boolean }> {
  const { repository } = project;
  const base = (head: Commit): Commit => repository.mergeBase(request.from, head);
  const there = project.workspaces.get(request.path);
  if (there?.complete === true) return { base: base(there.head), head: there.head, found: true };
  if (request.upstream === true) followUpstream(project, request.branch);
  const { head, saved } = startOf(project, request);
  const files = repository.files(saved ?? head);
  const { branch } = request;
  const workspace: Workspace = { branch, head, files, complete: false, handEdited: false };
  if (request.path.includes("/dev-") && life.world.faults.strikes("unsavable")) {
    workspace.unsavable = true;
  }
  project.workspaces.set(request.path, workspace);
  await life.pass("git.prepareWorkspace:half");
  workspace.complete = true;
  life.world.tell({ kind: "workspace-made", path: request.path, workspace });
  return { base: base(head), head, found: false };
}

/** As the real one: the last checkpoint of the branch, unless the hub's branch went on after it. */
function startOf(
  project: SimProject,
  { branch, identity, checkpoint: known, from }: Parameters<Git["prepareWorkspace"]>[0],
): { head: Commit; saved?: Commit } {
  const { repository } = project;
  const onBranch = project.branches.get(branch);
  const last = identity === undefined ? undefined : project.checkpoints.get(identity);
  const isOfBranch = last !== undefined && project.savedBranch.get(last) === branch;
  const saved = isOfBranch ? last : known;
  const head = saved === undefined ? undefined : repository.parents(saved)[0];
  if (saved === undefined || head === undefined) return { head: onBranch ?? from };
  const wentOn = onBranch !== undefined && onBranch !== head;
  if (wentOn && repository.isAncestor(head, onBranch)) return { head: onBranch };
  return { head, saved };
}

/** As the real one: where the hub has none, or upstream's is on top of the hub's. */
function followUpstream(
  { branches, upstreamBranches, repository }: SimProject,
  branch: string,
): void {
  const theirs = upstreamBranches.get(branch);
  const known = branches.get(branch);
  if (theirs === undefined) return;
  if (known === undefined || repository.isAncestor(known, theirs)) branches.set(branch, theirs);
}

function fetchBranch(
  { project }: Context,
  request: Parameters<Git["fetchBranch"]>[0],
): BranchState {
  const { repository } = project;
  const workspace = workspaceAt(project, request.workspace);
  const { head } = workspace;
  project.branches.set(request.branch, head);
  const committed = repository.files(head);
  const paths = new Set([...committed.keys(), ...workspace.files.keys()]);
  const dirty = [...paths].filter((path) => committed.get(path) !== workspace.files.get(path));
  const ahead = repository.ahead(head, request.target);
  return { head, tree: repository.treeOf(head), ahead, bytes: 0, dirty };
}

/** Another writer's commits there are reported, never overwritten. */
function pushBranch(
  { life, project }: Context,
  { branch, head }: { branch: string; head: Commit },
): BranchPush {
  if (!life.world.options.remote) return { kind: "pushed" };
  const { upstreamBranches, pushed, repository } = project;
  const there = upstreamBranches.get(branch);
  const isOurs = there === undefined || there === pushed.get(branch);
  if (!isOurs && !repository.isAncestor(there, head)) {
    return { kind: "overtaken", theirs: there, log: "another writer's" };
  }
  life.world.moveUpstream(project, { branch, to: head });
  pushed.set(branch, head);
  return { kind: "pushed" };
}

async function deleteBranch(
  { life, project }: Context,
  { branch, head }: { branch: string; head: Commit },
): ReturnType<Git["deleteBranch"]> {
  const isThere = project.upstreamBranches.get(branch) === head;
  if (isThere) {
    life.world.moveUpstream(project, { branch, to: undefined });
    project.pushed.delete(branch);
  }
  await life.pass("git.deleteBranch:half");
  if (project.branches.get(branch) === head) project.branches.delete(branch);
  return isThere ? "upstream" : undefined;
}

async function buildCandidate(
  { life, project }: Context,
  request: CandidateRequest,
): Promise<CandidateOutcome> {
  const { repository } = project;
  let tip = request.onto;
  const tips: Commit[] = [];
  const resolved: { index: number; files: string[] }[] = [];
  for (const [index, { head, message }] of request.heads.entries()) {
    const merged = await mergeOrResolve(
      { life, project },
      { ours: tip, theirs: head, resolve: request.resolve },
    );
    if (merged.kind === "conflict") return { ...merged, index, tips };
    const below = tip;
    if (merged.tree !== repository.treeOf(tip)) {
      tip = onTop(project, { tip, head, message, tree: merged.tree }, request.strategy);
    }
    if (merged.resolved !== undefined && tip !== below) {
      resolved.push({ index, files: merged.resolved });
      project.resolvedTips.add(tip);
    }
    if (tip !== below) project.madeOf.set(tip, { below, heads: [head] });
    else if (!project.landedHeads.has(head)) project.madeOf.get(tip)?.heads.push(head);
    tips.push(tip);
  }
  project.queueRefs.set(request.ref, tip);
  return { kind: "built", commit: tip, tree: repository.treeOf(tip), tips, resolved };
}

function onTop(
  { repository }: SimProject,
  next: { tip: Commit; head: Commit; message: string; tree: ReturnType<typeof repository.treeOf> },
  strategy: CandidateRequest["strategy"],
): Commit {
  const { tip, head, tree, message } = next;
  if (strategy === "rebase" && repository.isAncestor(tip, head)) return head;
  const parents = strategy === "merge" ? [tip, head] : [tip];
  return repository.commit({ tree, parents, message });
}

function conflicts(
  { repository }: SimProject,
  { target, fresh, others }: Parameters<Git["conflicts"]>[0],
): { a: Commit; b: Commit; files: string[] }[] {
  const all = [target, ...new Set([...fresh, ...others])];
  return all.slice(0, 1 + new Set(fresh).size).flatMap((a, index) =>
    all.slice(index + 1).flatMap((b) => {
      const merged = repository.merge(a, b);
      return merged.kind === "conflict" ? [{ a, b, files: merged.files }] : [];
    }),
  );
}

async function land(
  { life, project }: Context,
  { candidate, expected }: { candidate: Commit; expected: Commit },
): Promise<LandingOutcome> {
  const { repository, target } = project;
  const { world } = life;
  if (target !== expected) {
    const there = repository.isAncestor(candidate, target);
    return there ? { kind: "landed", commit: candidate } : { kind: "target-moved", target };
  }
  assert(repository.isAncestor(expected, candidate), `${candidate} is not on top of ${expected}`);
  if (!world.options.remote && world.faults.strikes("heldCheckout")) {
    return { kind: "held", paths: ["readme.txt"], why: "the checkout has edits in the way" };
  }
  const isProtected = world.options.remote && world.options.forgeMerges === true;
  if (isProtected || (world.options.remote && world.faults.strikes("pushRefused"))) {
    return { kind: "rejected", why: "the target is protected", hint: "let Pawl push there" };
  }
  await life.pass("git.land:prepared");
  // Meanwhile another writer may have been quicker.
  if (project.target !== expected) return land({ life, project }, { candidate, expected });
  world.moveTarget(project, candidate, "pawl");
  await life.pass("git.land:moved");
  return { kind: "landed", commit: candidate };
}

/** As the real one: ancestry, or that merging would change nothing, or that its patches are there. */
export function contains(
  project: SimProject,
  request: { target: Commit; head: Commit; base?: Commit },
): boolean {
  const { repository } = project;
  const { target, head, base } = request;
  if (head === base) return false;
  if (repository.isAncestor(head, target)) {
    return base === undefined ? !repository.isOnFirstParents(target, head) : true;
  }
  if (project.landedHeads.has(head)) return true;
  const parted = repository.mergeBase(target, head);
  if (repository.treeOf(parted) === repository.treeOf(head)) return false;
  const merged = repository.merge(target, head);
  return merged.kind === "clean" && merged.tree === repository.treeOf(target);
}

async function checkpoint(
  { life, project }: Context,
  request: Parameters<Git["checkpoint"]>[0],
): ReturnType<Git["checkpoint"]> {
  const { repository } = project;
  const workspace = project.workspaces.get(request.workspace);
  if (workspace?.complete !== true) return { kind: "absent" };
  const before = project.checkpoints.get(request.identity);
  if (before !== undefined && savedContent(project, before) === contentOf(project, workspace)) {
    return { kind: "unchanged", commit: before, skipped: skippedIn(workspace) };
  }
  const tree = repository.tree(workspace.files);
  const { reason, identity } = request;
  const commit = repository.commit({ tree, parents: [workspace.head], message: reason });
  await life.pass("git.checkpoint:objects");
  project.checkpoints.set(identity, commit);
  project.savedBranch.set(commit, workspace.branch);
  workspace.handEdited = false;
  life.world.tell({ kind: "checkpoint-saved", project: project.name, identity, commit });
  return { kind: "saved", commit, skipped: skippedIn(workspace) };
}

const skippedIn = ({ unsavable }: Workspace): string[] => (unsavable === true ? [UNSAVABLE] : []);

/** What a checkpoint holds, in the form of `contentOf`. */
export const savedContent = ({ repository }: SimProject, checkpointed: Commit): string =>
  `${repository.parents(checkpointed)[0]} ${repository.treeOf(checkpointed)}`;

/** As the real one: what is in it is saved first, and what cannot be saved keeps it. */
async function removeWorkspace(
  context: Context,
  { path, identity }: Parameters<Git["removeWorkspace"]>[0],
): ReturnType<Git["removeWorkspace"]> {
  const { life, project } = context;
  const workspace = project.workspaces.get(path);
  if (workspace === undefined) return { kind: "removed" };
  await checkpoint(context, { workspace: path, identity, reason: "at removal" });
  await life.pass("git.removeWorkspace:compared");
  if (workspace.unsavable === true) {
    life.world.tell({ kind: "workspace-kept", project: project.name, identity });
    return { kind: "kept", unsaved: [UNSAVABLE] };
  }
  life.world.tell({ kind: "workspace-removed", project: project.name, path, workspace });
  workspace.complete = false;
  await life.pass("git.removeWorkspace:half");
  project.workspaces.delete(path);
  return { kind: "removed" };
}

/** A file that is too large. */
export const UNSAVABLE = "huge.bin";

function workspaceAt(project: SimProject, path: string): Workspace {
  const workspace = project.workspaces.get(path);
  if (workspace?.complete === true) return workspace;
  throw new OperationError(`there is no workspace at ${path}`, { code: "no-workspace" });
}
