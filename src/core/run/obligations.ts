// Which effects the state of a run stands for. What is new after a step is asked for, what is gone is
// cancelled: all by comparing, so that no path through the step can forget one. Only news for people
// (a notification, words on an issue, the status of a commit) stands for no state: it is sent when it
// happens, through `news`.
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
import type { CheckOutcome } from "../check.ts";
import type { Context } from "../context.ts";
import type { Effect, EffectKind, Obligation, Output } from "../effect.ts";
import { runAggregate, type Commit } from "../ids.ts";
import * as say from "../words/messages.ts";
import { clearingEffects } from "./clearing-effects.ts";
import { messageFile } from "./message.ts";
import type { Run } from "./run.ts";
import { fetchOf, type Stage } from "./stage.ts";
import { askedOn, issueOf, shownRef, titleOf } from "./work.ts";
import type { Session, Verdict } from "../session/session.ts";

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
function laneOf({ project, id }: Run, kind: EffectKind, key: string): string {
  const aggregate = runAggregate(project, id);
  const needs = KINDS[kind]?.needs ?? "own";
  if (needs === "own") return key;
  if (needs === "people") return `notify:${project}`;
  return needs === "session" ? aggregate : `${aggregate}:${needs}`;
}

/** What is wanted under which name; a name is the end of a key. */
export type Wants = (name: string, kind: EffectKind, effect: () => Effect) => void;

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
  work.kind === "issue" ? `Fixes #${work.number}` : `Created by \`${identity}\` on its own.`;

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

/** Sent once, whatever becomes of the run. */
function news(run: Run, { name, effect }: { name: string; effect: Effect }, context: Context) {
  const key = `${runAggregate(run.project, run.id)}:${name}`;
  context.output.effects.push({ key, lane: laneOf(run, effect.kind, key), effect });
}

export function notify(
  run: Run,
  about: { severity: "warning" | "urgent"; about: string; round: string },
  context: Context,
): void {
  const issue = askedOn(run);
  const effect: Effect = {
    kind: "notify",
    severity: about.severity,
    title: `${shownRef(run)} ${titleOf(run)}`,
    body: about.about,
    ...(issue === undefined ? {} : { issue }),
  };
  news(run, { name: `notify:${about.round}:${context.at}`, effect }, context);
}

export function sayOnIssue(
  run: Run,
  { name, ...words }: { name: string; on: number; body: string; since?: number },
  context: Context,
): void {
  news(run, { name, effect: { kind: "say-on-issue", ...words } }, context);
}

/**
 * The result of Pawl's own CI for a head, on the forge that has its PR, for people to see there.
 * `undefined`: it has begun.
 */
export function postStatus(
  run: Run,
  { head, outcome }: { head: Commit; outcome: CheckOutcome | undefined },
  context: Context,
): void {
  if (run.config.forge === undefined) return;
  const state = STATES[outcome?.kind ?? "begun"];
  const { phase, counts } = run;
  const name = `status:${head}:${phase?.ordinal ?? 0}:${counts.infraRetries}:${state}`;
  const description = say.ciStatus(outcome);
  news(run, { name, effect: { kind: "post-status", head, state, description } }, context);
}

const STATES = {
  begun: "pending",
  passed: "success",
  failed: "failure",
  infra: "error",
} as const;
