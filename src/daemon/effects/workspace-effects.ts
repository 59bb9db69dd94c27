// Effects on a run's workspace and branch: made, saved, fetched, published, checked, removed.
import { commitId, type Commit } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { ProjectPorts } from "../engine/ports.ts";
import { check } from "./check.ts";
import { currentProject, currentRun, wallsOf, type Executors } from "./executor.ts";
import { ensureWorkspace, makeWorkspace, portVariables } from "./make-workspace.ts";

export const workspaceEffects: Executors<
  | "prepare-workspace"
  | "checkpoint"
  | "fetch-branch"
  | "publish-branch"
  | "check-branch"
  | "remove-workspace"
  | "delete-branch"
> = {
  "prepare-workspace": async (effect, context) => {
    // As the project is configured now: what failed before may be fixed.
    const { workspace = effect.workspace } = (await currentProject(context)).config ?? {};
    const made = await makeWorkspace(context, { ...effect, workspace });
    const at = context.now();
    if ("failure" in made) return { kind: "workspace-unready", at, failure: made.failure };
    return { kind: "workspace-prepared", at, ...made, workspace };
  },

  checkpoint: async (effect, { own, paths, project, now, inWorkspace }) => {
    const workspace = paths.workspace(project, effect.identity);
    const { identity, reason } = effect;
    const outcome = await inWorkspace(identity, () =>
      own.git.checkpoint({ workspace, identity, reason }),
    );
    return { kind: "checkpoint-made", at: now(), outcome };
  },

  "fetch-branch": async (effect, context) => {
    const { own, paths, project, now } = context;
    const run = await currentRun(context);
    const { base } = run;
    // It may have been deleted under a living agent: then it is rebuilt from its checkpoint.
    await ensureWorkspace(context, run);
    const target = await own.git.fetchTarget();
    const workspace = paths.workspace(project, effect.identity);
    const { branch, ordinal } = effect;
    // Cancelled because the run is over: its branch may be deleted by now, and must stay deleted.
    context.signal.throwIfAborted();
    const state = await own.git.fetchBranch({ workspace, branch, target });
    const landed = await own.git.contains({
      target,
      head: state.head,
      // Without it, a head that was fast-forwarded cannot be told from one that never left.
      ...(base === undefined ? {} : { base }),
    });
    const { head, ahead, dirty, bytes } = state;
    const fetched = {
      ordinal,
      head,
      ahead,
      dirty,
      bytes,
      ...(await pathsOf(run, head, own)),
      landed,
    };
    return { kind: "branch-fetched", at: now(), ...fetched };
  },

  "publish-branch": async (effect, { own, key, now }) => {
    const { branch, head, title, body, issue, target } = effect;
    const pushed = await own.git.pushBranch({ branch, head });
    if (pushed.kind === "overtaken") {
      const { theirs, log } = pushed;
      return { kind: "branch-overtaken", at: now(), head, theirs, log };
    }
    const pr = await own.forge.ensurePr({ branch, head, title, body, issue, target, key });
    return { kind: "branch-published", at: now(), head, pr: pr.number };
  },

  "check-branch": async (effect, context) => {
    const { own, now, key } = context;
    const { branch, head, title, strategy } = effect;
    const target = await own.git.fetchTarget();
    const ref = `check/${branch}`;
    const heads = [{ branch, head, message: title }];
    const resolve = (await currentProject(context)).config?.merge.resolve;
    const wanted = { onto: target, heads, strategy, ref, resolve };
    const candidate = await own.git.buildCandidate(wanted);
    if (candidate.kind === "conflict") {
      return { kind: "check-conflicted", at: now(), head, target, files: candidate.files };
    }
    await context.report({ kind: "check-started", at: now(), head });
    const { commit, tree } = candidate;
    const outcome = await check(context, { commit, tree, ci: effect.ci, key, head });
    await own.git.releaseCandidate(ref);
    const [resolved] = candidate.resolved;
    if (resolved !== undefined && outcome.kind === "failed") {
      // What a program made of the conflict is red: its author has to merge it.
      return { kind: "check-conflicted", at: now(), head, target, files: resolved.files };
    }
    return { kind: "check-finished", at: now(), head, tree, outcome };
  },

  "remove-workspace": async (effect, context) => {
    const { own, ports, paths, project, now } = context;
    const path = paths.workspace(project, effect.identity);
    const run = await currentRun(context);
    const { teardown, timeoutMs } = effect.teardown;
    const env = portVariables(effect.teardown, run.slot);
    const walls = await wallsOf(context);
    const removal = await context.inWorkspace(effect.identity, async () => {
      await ports.workspaces.tearDown({ path, command: teardown, env, timeoutMs, walls });
      return own.git.removeWorkspace({ path, identity: effect.identity });
    });
    // What landed is on the target: a later life of this identity must not start from the old files.
    const at = run.endedAt ?? now();
    if (removal.kind === "removed" && run.outcome?.kind === "landed") {
      await own.checkpoints?.archive({ identity: effect.identity, at });
    }
    await ports.sessionFiles.unlinkPhase({
      dir: { path: paths.session(project, effect.run, effect.lastEpoch) },
      phaseLink: paths.phaseLink(run),
    });
    return removal.kind === "removed"
      ? { kind: "workspace-removed", at: now() }
      : { kind: "workspace-kept", at: now(), unsaved: removal.unsaved };
  },

  "delete-branch": async (effect, { own, now, aggregate }) => {
    const { branch } = effect;
    const head = commitId(effect.head);
    const from = await own.git.deleteBranch({ branch, head });
    // A run's branch is Pawl's own; of a branch that a person added, its owner is told.
    if (from === undefined || !aggregate.startsWith("queue:")) return undefined;
    return { kind: "branch-deleted", at: now(), branch, head, from };
  },
};

/** Asked for only where the task may not change every file. */
async function pathsOf(
  { work }: Run,
  head: Commit,
  { git }: Pick<ProjectPorts, "git">,
): Promise<{ paths?: string[]; unlisted?: true }> {
  if (work.kind !== "task" || work.task.files === undefined) return {};
  const changes = await git.changesOf({ head, maxBytes: 1 });
  const { files: paths, cut } = changes ?? { files: [], cut: true };
  return { paths, ...(cut === true ? { unlisted: true } : {}) };
}
