// The git adapter: one factory that puts the parts together. Every call makes sure of the hub
// first; calls that move the target or use the same workspace wait for each other.
import type { Checkpoints } from "../../ports/checkpoints.ts";
import type { Git } from "../../ports/git.ts";
import { adoptBranches } from "./adopt-branch.ts";
import { fetchBranch } from "./branch.ts";
import { buildCandidate, releaseCandidate } from "./candidate.ts";
import { checkout } from "./checkout.ts";
import { CHECKPOINT_REFS, checkpoint } from "./checkpoint.ts";
import { LANDED_REFS, listCheckpoints } from "./checkpoint-chain.ts";
import { checkpointContent, checkpointDiff } from "./checkpoint-content.ts";
import { pushCheckpoints } from "./checkpoint-remote.ts";
import { treeOf } from "./commits.ts";
import { changedBy } from "./changed-by.ts";
import { changedPaths } from "./changed-paths.ts";
import { contains } from "./contains.ts";
import type { GitContext, GitOptions } from "./context.ts";
import { createContext } from "./context.ts";
import { ensureHub } from "./hub.ts";
import { landLocal } from "./land-local.ts";
import { landRemote } from "./land-remote.ts";
import { conflicts } from "./merge-tree.ts";
import { outside } from "./outside.ts";
import { deleteBranch, pushBranch } from "./push.ts";
import { tryPush } from "./try-push.ts";
import { recoverCheckpoints } from "./recover.ts";
import { restoreInto, restoreTo } from "./restore-checkpoint.ts";
import { changesOf, compare } from "./compare.ts";
import { summary } from "./summary.ts";
import { fetchTarget, localGitDir, readFile, targetFiles, targetLog } from "./target.ts";
import { archiveCheckpoints, thinCheckpoints } from "./thin-checkpoints.ts";
import { tidyHub } from "./tidy-hub.ts";
import { afterChecksStart } from "../shared/check-first.ts";
import { watchWorkspace } from "./watch-workspace.ts";
import { removeWorkspace } from "./remove-workspace.ts";
import { prepareWorkspace } from "./workspace.ts";

export const createGit = (options: GitOptions): Git => createProjectGit(options).git;

/** Both work on one hub, and wait for each other where they must. */
export function createProjectGit(options: GitOptions): { git: Git; checkpoints: Checkpoints } {
  const context = createContext(options);
  const ready = rememberReady(context);
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await ready();
    return work();
  };
  const alone = <T>(key: string, work: () => Promise<T>): Promise<T> =>
    context.serial(key, () => after(work));
  const turns = { context, after, alone };
  return { git: gitOf(turns), checkpoints: checkpointsOf(turns) };
}

type Turns = {
  context: GitContext;
  after: <T>(work: () => Promise<T>) => Promise<T>;
  /** One at a time per key. */
  alone: <T>(key: string, work: () => Promise<T>) => Promise<T>;
};

/** Held while a workspace is made, saved, put back or removed: none may see the other half-done. */
const placeOf = (workspace: string): string => `workspace ${workspace}`;

function checkpointsOf({ context, after, alone }: Turns): Checkpoints {
  return {
    watch: (request) => watchWorkspace(context, request),
    identities: () => after(() => identities(context)),
    landed: () => after(() => landedIdentities(context)),
    list: (request) => after(() => listCheckpoints(context, request)),
    content: (commit) => after(() => checkpointContent(context, commit)),
    diff: (request) => after(() => checkpointDiff(context, request)),
    restoreTo: (request) => after(() => restoreTo(context, request)),
    restoreInto: (request) =>
      alone(placeOf(request.workspace), () => restoreInto(context, request)),
    thin: (request) => after(() => thinCheckpoints(context, request)),
    archive: (request) => after(() => archiveCheckpoints(context, request)),
    push: (request) => after(() => pushCheckpoints(context, request)),
    recover: (request) => after(() => recoverCheckpoints(context, request)),
    tidy: (request) => after(() => tidyHub(context, request)),
  };
}

async function identities(context: GitContext): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", CHECKPOINT_REFS];
  const refs = (await context.inHub(args)).stdout.split("\n").filter(Boolean);
  return refs.map((ref) => ref.slice(CHECKPOINT_REFS.length));
}

/** A chain of landed work is named by its identity and the instant of the landing. */
async function landedIdentities(context: GitContext): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", LANDED_REFS];
  const refs = (await context.inHub(args)).stdout.split("\n").filter(Boolean);
  return [...new Set(refs.map((ref) => ref.slice(LANDED_REFS.length).replace(/\/[^/]*$/, "")))];
}

function gitOf({ context, after, alone }: Turns): Git {
  /** After the checks that begin at the same moment. */
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    await afterChecksStart();
    return work();
  };
  return {
    fetchTarget: () => alone("target", () => fetchTarget(context)),
    treeOf: (commit) => after(() => treeOf(context, commit)),
    readFile: (commit, path) => after(() => readFile(context, commit, path)),
    prepareWorkspace: (request) =>
      alone(placeOf(request.path), () => prepareWorkspace(context, request)),
    fetchBranch: (request) =>
      alone(`branch ${request.branch}`, () => fetchBranch(context, request)),
    adoptBranches: (request) => {
      // Each in its turn; in one order, so that no two calls wait for each other.
      const inTurn = request.branches
        .toSorted()
        .reduceRight<() => ReturnType<Git["adoptBranches"]>>(
          (work, branch) => () => context.serial(`branch ${branch}`, work),
          () => after(() => adoptBranches(context, request)),
        );
      return inTurn();
    },
    pushBranch: (request) => alone(`branch ${request.branch}`, () => pushBranch(context, request)),
    tryPush: (request) => after(() => tryPush(context, request)),
    deleteBranch: (request) =>
      later(() => alone(`branch ${request.branch}`, () => deleteBranch(context, request))),
    buildCandidate: (request) => later(() => after(() => buildCandidate(context, request))),
    releaseCandidate: (ref) => later(() => after(() => releaseCandidate(context, ref))),
    conflicts: (request) => after(() => conflicts(context, request)),
    changedBy: (request) => after(() => changedBy(context, request)),
    changedPaths: (chain) => after(() => changedPaths(context, chain)),
    land: (request) => later(() => alone("target", () => land(context, request))),
    contains: (request) => after(() => contains(context, request)),
    checkout: (request) => after(() => checkout(context, request)),
    checkpoint: (request) => alone(placeOf(request.workspace), () => checkpoint(context, request)),
    changesOf: (request) => after(() => changesOf(context, request)),
    compare: (request) => after(() => compare(context, request)),
    summary: (request) => after(() => summary(context, request)),
    removeWorkspace: (request) =>
      alone(placeOf(request.path), () => removeWorkspace(context, request)),
    targetFiles: (request) => after(() => targetFiles(context, request)),
    outside: (request) => after(() => outside(context, request)),
    targetLog: (request) => after(() => targetLog(context, request)),
    underWay: async () => context.progress.underWay(),
  };
}

const land = (context: GitContext, request: Parameters<Git["land"]>[0]): ReturnType<Git["land"]> =>
  context.upstream.kind === "local"
    ? landLocal(context, request)
    : landRemote(context, context.upstream.url, request);

/** Once per process is enough; a failure is not remembered. */
function rememberReady(context: GitContext): () => Promise<void> {
  let made: Promise<void> | undefined;
  return async () => {
    // It is asked for next, and does not need the hub. The call that needs it reports a failure.
    if (made === undefined && context.upstream.kind === "local") {
      localGitDir(context).catch(() => undefined);
    }
    made ??= context.serial("hub", () => ensureHub(context));
    try {
      await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}
