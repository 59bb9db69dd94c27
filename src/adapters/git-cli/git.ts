// The git adapter: one factory that puts the parts together. Every call makes sure of the hub
// first; calls that move the target wait for each other.
import type { Git } from "../../ports/git.ts";
import { fetchBranch } from "./branch.ts";
import { buildCandidate, releaseCandidate } from "./candidate.ts";
import { checkout } from "./checkout.ts";
import { checkpoint } from "./checkpoint.ts";
import { treeOf } from "./commits.ts";
import { contains } from "./contains.ts";
import type { GitContext, GitOptions } from "./context.ts";
import { createContext } from "./context.ts";
import { ensureHub } from "./hub.ts";
import { landLocal } from "./land-local.ts";
import { landRemote } from "./land-remote.ts";
import { conflicts } from "./merge-tree.ts";
import { deleteBranch, pushBranch } from "./push.ts";
import { summary } from "./summary.ts";
import { fetchTarget, readFile, targetLog } from "./target.ts";
import { prepareWorkspace, removeWorkspace } from "./workspace.ts";

export function createGit(options: GitOptions): Git {
  const context = createContext(options);
  const ready = rememberReady(context);
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await ready();
    return work();
  };
  const alone = <T>(key: string, work: () => Promise<T>): Promise<T> =>
    context.serial(key, () => after(work));

  return {
    fetchTarget: () => alone("target", () => fetchTarget(context)),
    treeOf: (commit) => after(() => treeOf(context, commit)),
    readFile: (commit, path) => after(() => readFile(context, commit, path)),
    prepareWorkspace: (request) =>
      alone(`workspace ${request.path}`, () => prepareWorkspace(context, request)),
    fetchBranch: (request) =>
      alone(`branch ${request.branch}`, () => fetchBranch(context, request)),
    pushBranch: (request) => alone(`branch ${request.branch}`, () => pushBranch(context, request)),
    deleteBranch: (request) =>
      alone(`branch ${request.branch}`, () => deleteBranch(context, request)),
    buildCandidate: (request) => after(() => buildCandidate(context, request)),
    releaseCandidate: (ref) => after(() => releaseCandidate(context, ref)),
    conflicts: (request) => after(() => conflicts(context, request)),
    land: (request) => alone("target", () => land(context, request)),
    contains: (request) => after(() => contains(context, request)),
    checkout: (request) => after(() => checkout(context, request)),
    checkpoint: (request) => after(() => checkpoint(context, request)),
    summary: (request) => after(() => summary(context, request)),
    removeWorkspace: (path) => alone(`workspace ${path}`, () => removeWorkspace(context, path)),
    targetLog: (request) => after(() => targetLog(context, request)),
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
    made ??= context.serial("hub", () => ensureHub(context));
    try {
      await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}
