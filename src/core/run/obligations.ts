// Which effects the state of a run stands for. What is new after a step is asked for, what is gone is
// cancelled: all by comparing, so that no path through the step can forget one. Only news for people
// stands for no state: tell.ts sends it when it happens.
//
// Lanes, one per resource: what needs the forge never keeps a session from being ended, saved or
// started. Where one effect needs another one's outcome, the run waits for that outcome.
//
// session: start, end, save and clear away. Nothing here asks a network, but a start whose workspace
//          is gone and needs submodules or large files that the hub lacks.
//          Its lane is the run's own name, as it was before there were others.
// git:     make the workspace, fetch the branch. Both ask upstream where the target is.
// forge:   claim, publish, settle, delete the branch: in this order on the forge as well.
// own:     takes long, and must hold up nothing: a check, a look where tmux is slow.
import type { Effect, EffectKind, Obligation, Output } from "../effect.ts";
import { runAggregate, type Commit } from "../ids.ts";
import { messageFile } from "./message.ts";
import { issueOf, titleOf, type Run } from "./run.ts";
import { fetchOf, type Stage } from "./stage.ts";
import type { Session, Verdict } from "../session/session.ts";
import { LABELS } from "../issue.ts";
import { blockedDiagnostic, refusal as refusalText, refusalMark } from "../words/messages.ts";
import type { Refusal } from "./phase.ts";

type Resource = "session" | "git" | "forge" | "messages" | "words" | "status" | "people" | "own";

/** `stays`: once asked for it is carried out, also when the run no longer stands where it asked. */
const KINDS: Partial<Record<EffectKind, { needs: Resource; stays?: true }>> = {
  "claim-issue": { needs: "forge" },
  "prepare-workspace": { needs: "git" },
  "fetch-branch": { needs: "git" },
  "publish-branch": { needs: "forge" },
  "check-branch": { needs: "own" },
  "spawn-session": { needs: "session" },
  "end-session": { needs: "session" },
  "look-at-session": { needs: "own" },
  // A terminal that cannot be typed into must not keep a session from ending.
  "deliver-message": { needs: "messages" },
  checkpoint: { needs: "session", stays: true },
  "settle-issue": { needs: "forge" },
  "finish-pr": { needs: "forge" },
  "delete-branch": { needs: "forge", stays: true },
  "remove-workspace": { needs: "session" },
  "unlink-phase": { needs: "session", stays: true },
  // A forge that is down must hold up nothing else of the run.
  "say-on-issue": { needs: "words", stays: true },
  "post-status": { needs: "status", stays: true },
  notify: { needs: "people", stays: true },
};

/** The lane of an effect of this run; `key` is that of the effect. */
export function laneOf({ project, id }: Run, kind: EffectKind, key: string): string {
  const aggregate = runAggregate(project, id);
  const needs = KINDS[kind]?.needs ?? "own";
  if (needs === "own") return key;
  if (needs === "people") return `notify:${project}`;
  return needs === "session" ? aggregate : `${aggregate}:${needs}`;
}

/** What is wanted under which name; a name is the end of a key. */
type Wants = (name: string, kind: EffectKind, effect: () => Effect) => void;

type Wanted = Map<string, { kind: EffectKind; obligation: () => Obligation }>;

export function reconcile(before: Run | undefined, after: Run, output: Output): void {
  if (before === after) return;
  const had: Wanted = before === undefined ? new Map() : wanted(before);
  const wants = wanted(after);
  for (const [key, { kind }] of had) {
    if (!wants.has(key) && KINDS[kind]?.stays !== true) output.cancelled.push(key);
  }
  for (const [key, { kind, obligation }] of wants) {
    if (had.has(key)) continue;
    // Asked for again, it replaces one of before that still waits.
    if (KINDS[kind]?.stays === true) output.cancelled.push(key);
    output.effects.push(obligation());
  }
}

function wanted(run: Run): Wanted {
  const map: Wanted = new Map();
  const aggregate = runAggregate(run.project, run.id);
  const put: Wants = (key, kind, effect) => {
    const obligation = () => ({ key, lane: laneOf(run, kind, key), effect: effect() });
    map.set(key, { kind, obligation });
  };
  const add: Wants = (name, kind, effect) => put(`${aggregate}:${name}`, kind, effect);
  workEffects(run, add);
  sessionEffects(run, add);
  clearingEffects(run, add);
  const { stage } = run;
  // Its key is part of the stage, so that later changes of the run do not change it.
  if (stage.kind === "checking") put(stage.key, "check-branch", () => checkEffect(run, stage.head));
  return map;
}

/** The way of the work, from the claim to the PR. */
function workEffects(run: Run, add: Wants): void {
  const { stage, branch, identity } = run;
  const ordinal = fetchOf(stage);
  if (ordinal !== undefined) {
    const effect = { kind: "fetch-branch", identity, branch, ordinal } as const;
    add(`fetch:${ordinal}`, "fetch-branch", () => effect);
  }
  switch (stage.kind) {
    case "claiming": {
      const claim = runAggregate(run.project, run.id);
      const { work } = run;
      if (work.kind !== "issue") return;
      add("claim", "claim-issue", () => ({ kind: "claim-issue", issue: work.number, claim }));
      return;
    }
    case "preparing":
      // Set-up failed, and the project has not said yet that it is to be tried again.
      if (run.unready === "waits") return;
      add("prepare", "prepare-workspace", () => prepareEffect(run));
      return;
    case "publishing":
      add(publishName(run, stage), "publish-branch", () => publishEffect(run, stage.head));
      return;
    default:
  }
}

function prepareEffect(run: Run): Effect {
  const { work } = run;
  const start = work.kind === "task" ? work.task.at : undefined;
  return {
    kind: "prepare-workspace",
    identity: run.identity,
    branch: run.branch,
    checkpoint: run.checkpoint,
    workspace: run.config.workspace,
    ...(start?.kind === "commit" ? { from: start.commit } : {}),
    ...(run.refusedFor === undefined ? {} : { fresh: true as const }),
    ...(work.kind === "issue" && run.refusedFor === undefined ? { upstream: true as const } : {}),
    slot: run.slot,
  };
}

/** Per head and phase: a new head is never mistaken for the old one. */
const publishName = ({ phase }: Run, stage: Extract<Stage, { kind: "publishing" }>): string =>
  stage.ordinal === undefined
    ? `publish:${phase?.ordinal ?? 0}`
    : `publish:${stage.ordinal}:${stage.head}`;

const publishEffect = (run: Run, head: Commit): Effect => ({
  kind: "publish-branch",
  branch: run.branch,
  head,
  title: titleOf(run),
  body: prBody(run),
  issue: issueOf(run),
  target: run.config.target,
});

const prBody = ({ work, identity }: Run): string =>
  work.kind === "issue"
    ? `Fixes #${work.number}`
    : `Created by the agent \`${identity}\`, not for an issue.`;

const checkEffect = (run: Run, head: Commit): Effect => ({
  kind: "check-branch",
  branch: run.branch,
  head,
  ci: run.config.ci,
  strategy: run.config.merge.strategy,
  title: titleOf(run),
});

type Check = { head: Commit; attempt: number };

/** One obligation per head and attempt: a new head's check is never mistaken for the old one's. */
export function checkObligation(run: Run, { head, attempt }: Check): Obligation {
  const { project, id, phase } = run;
  const key = `${runAggregate(project, id)}:check:${head}:${attempt}:${phase?.ordinal ?? 0}`;
  return { key, lane: laneOf(run, "check-branch", key), effect: checkEffect(run, head) };
}

export function startCheck(run: Run, check: Check): Run {
  const { key } = checkObligation(run, check);
  return { ...run, stage: { kind: "checking", head: check.head, key, deadline: undefined } };
}

/** One life of the agent: started, told, looked at, saved, ended. */
function sessionEffects(run: Run, add: Wants): void {
  const { session, id, identity } = run;
  if (session === undefined) return;
  const { epoch, status, evidence, handOff, unended } = session;
  if (status === "spawning") {
    add(`spawn:${epoch}`, "spawn-session", () => spawnEffect(run, session));
  }
  if (status === "live") {
    for (const message of run.messages) {
      if (message.status !== "queued" || message.epoch !== epoch) continue;
      const told = { run: id, epoch, id: message.id, text: messageFile(message) };
      add(`deliver:${epoch}:${message.id}`, "deliver-message", () => ({
        kind: "deliver-message",
        ...told,
      }));
    }
    if (evidence.looking) {
      const effect = { kind: "look-at-session", run: id, epoch } as const;
      add(`look:${epoch}`, "look-at-session", () => effect);
    }
    if (handOff !== undefined) {
      const effect = { kind: "checkpoint", identity, reason: "before a hand-off" } as const;
      add(`checkpoint:hand-off:${epoch}`, "checkpoint", () => effect);
    }
  }
  // Leftovers are ended and the work is saved before anything else happens.
  if (status === "ending" && !unended) {
    const { process, pane } = session;
    const marks = { run: id, epoch, tmuxSession: pane?.tmuxSession, process };
    const { graceMs } = run.config.limits;
    add(`end:${epoch}`, "end-session", () => ({ kind: "end-session", marks, graceMs }));
    const effect = { kind: "checkpoint", identity, reason: `session ${epoch} ended` } as const;
    add(`checkpoint:end:${epoch}`, "checkpoint", () => effect);
  }
}

/** A conversation that was handed off, timed out or got stuck is not resumed. */
const RESUMED: ReadonlySet<Verdict | undefined> = new Set<Verdict | undefined>([
  "crashed",
  "completed",
  "incomplete",
  "killed",
]);

const spawnEffect = ({ id, messages }: Run, { epoch, after, isOther }: Session): Effect => ({
  kind: "spawn-session",
  run: id,
  epoch,
  tell: messages
    .filter((message) => message.status === "told" && message.epoch === epoch)
    .map((message) => ({ id: message.id, text: message.text })),
  ...(RESUMED.has(after) && isOther !== true ? { resumes: epoch - 1 } : {}),
});

// What a run whose work is over owes the world: its issue or PR is settled, its branch deleted, its
// workspace saved and removed. Read off the outcome and what is not cleared away yet.

type Clearing = Extract<Stage, { kind: "landed" | "blocking" }>;

function clearingEffects(run: Run, add: Wants): void {
  const { stage, identity, id, epoch: lastEpoch } = run;
  if (stage.kind !== "landed" && stage.kind !== "blocking") return;
  const { issueSettled, sessionGone, workspaceGone, isSaving } = stage.clearing;
  const { head, branch, pr, work } = run;
  if (!issueSettled && work.kind === "issue") {
    const issue = work.number;
    add("settle", "settle-issue", () => ({
      kind: "settle-issue",
      issue,
      ...settlement(run, stage),
    }));
  }
  // The PR of a task ends with it: no issue would lead to it again.
  if (!issueSettled && work.kind === "task" && pr !== undefined) {
    const mergedAs = stage.kind === "landed" ? stage.commit : undefined;
    add("settle", "finish-pr", () => ({ kind: "finish-pr", pr, mergedAs }));
  }
  if (stage.kind === "landed" && head !== undefined) {
    add("delete-branch", "delete-branch", () => ({ kind: "delete-branch", branch, head }));
  }
  if (!sessionGone || (workspaceGone && isSaving !== true)) return;
  const reason = workspaceGone ? "run given up" : "before removal";
  add("checkpoint:last", "checkpoint", () => ({ kind: "checkpoint", identity, reason }));
  const teardown = run.config.workspace;
  if (workspaceGone) {
    // The workspace stays, but no session uses it any more.
    add("unlink-phase", "unlink-phase", () => ({ kind: "unlink-phase", run: id, lastEpoch }));
  } else {
    const effect = { kind: "remove-workspace", identity, teardown, run: id, lastEpoch } as const;
    add("remove-workspace", "remove-workspace", () => effect);
  }
}

type Settlement = Omit<Extract<Effect, { kind: "settle-issue" }>, "kind" | "issue">;

function settlement(run: Run, stage: Clearing): Settlement {
  const { pr, outcome } = run;
  if (stage.kind === "landed") {
    return {
      close: true,
      addLabels: [],
      removeLabels: [LABELS.inProgress, LABELS.backlog, LABELS.blocked],
      comment: undefined,
      pr: pr === undefined ? undefined : { number: pr, mergedAs: stage.commit },
    };
  }
  if (stage.refusal !== undefined) return refused(run, stage.refusal);
  if (outcome?.kind === "blocked") return blocked(run, outcome.reason);
  // As it was before it was claimed.
  return {
    close: false,
    addLabels: [LABELS.backlog],
    removeLabels: [LABELS.inProgress],
    comment: undefined,
    pr: undefined,
  };
}

const blocked = ({ phase, pr, branch, check }: Run, reason: string): Settlement => ({
  close: false,
  addLabels: [LABELS.blocked, LABELS.backlog],
  removeLabels: [LABELS.inProgress],
  comment: blockedDiagnostic({
    reason,
    phase: phase?.phase,
    pr,
    branch,
    failure: check?.outcome.kind === "failed" ? check.outcome : undefined,
  }),
  pr: undefined,
});

const REFUSED: Record<Refusal["kind"], Pick<Settlement, "close" | "addLabels" | "removeLabels">> = {
  too_large: {
    close: false,
    addLabels: [LABELS.underspecified],
    removeLabels: [LABELS.backlog, LABELS.inProgress],
  },
  unmet_dependency: {
    close: false,
    addLabels: [LABELS.backlog],
    removeLabels: [LABELS.inProgress],
  },
  already_done: {
    close: true,
    addLabels: [],
    removeLabels: [LABELS.backlog, LABELS.inProgress],
  },
};

const refused = ({ pr }: Run, refusal: Refusal): Settlement => ({
  ...REFUSED[refusal.kind],
  comment: refusalText(refusal),
  // The same said before need not be said again.
  unless: refusalMark(refusal.kind),
  pr: pr === undefined ? undefined : { number: pr, mergedAs: undefined },
});
