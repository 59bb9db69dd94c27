// How a state and what a step wants done read in a transcript: one line each, only what matters.
import type { Effect, Output } from "../../../src/core/effect.ts";
import { runDeadline } from "../../../src/core/run/proceed.ts";
import { isOpen } from "../../../src/core/run/message.ts";
import type { Run } from "../../../src/core/run/run.ts";
import type { Stage } from "../../../src/core/run/stage.ts";
import type { Evidence } from "../../../src/core/session/evidence.ts";
import type { SignalKind } from "../../../src/core/signal.ts";
import type { AggregateState } from "../../../src/core/step.ts";
import { formatDuration } from "../../../src/lib/duration.ts";

export function describeState(state: AggregateState, now: number): string {
  if (state.kind === "run") return describeRun(state, now);
  if (state.kind === "project") {
    const { active, leaving, tasks, backlog, paused, closed, spending } = state;
    return [
      `active ${list(active.map(({ run }) => run))}`,
      ...(leaving.length === 0 ? [] : [`leaving ${list(leaving.map(({ run }) => run))}`]),
      ...(tasks.length === 0 ? [] : [`tasks ${list(tasks.map(({ key }) => key))}`]),
      `backlog ${list(backlog.map(({ number }) => `#${number}`))}`,
      ...(paused === undefined ? [] : ["paused"]),
      ...(spending === undefined ? [] : [`spent ${spending.total.tokens} on ${spending.day}`]),
      ...(closed === undefined ? [] : [`closed (${closed.reason})`]),
    ].join(", ");
  }
  if (state.kind === "schedule") return `schedules ${state.entries.length}`;
  if (state.kind === "plugin") return `plugins ${state.entries.length}`;
  if (state.kind === "patrol") return `notes ${list(Object.keys(state.notes))}`;
  if (state.kind === "reviews") {
    return `reviews ${list(state.prs.map((one) => `#${one.pr} ${one.head} ${one.state.kind}`))}`;
  }
  if (state.kind === "mail") return `letters ${list(state.letters.map(({ id }) => id))}`;
  if (state.kind === "formula") {
    return list(Object.entries(state.steps).map(([id, { kind }]) => `${id} ${kind}`));
  }
  if (state.kind === "action") return `action ${state.stage.kind}`;
  if (state.kind === "gate") return state.closed === undefined ? "open" : "closed";
  if (state.kind === "vault") return state.stage.kind;
  return `entries ${list(state.entries.map(({ branch }) => branch))}`;
}

const list = (items: string[]): string => (items.length === 0 ? "none" : items.join(" "));

function describeRun(run: Run, now: number): string {
  const { session, phase, head, respawnAt } = run;
  const deadline = runDeadline(run);
  const open = run.messages.filter(isOpen).map(({ id, kind, status }) => `${id} ${kind} ${status}`);
  return [
    describeStage(run.stage),
    ...(session === undefined ? [] : [describeSession(session)]),
    ...(phase === undefined ? [] : [`phase ${phase.phase}`]),
    ...(head === undefined ? [] : [`head ${head}`]),
    ...counts(run),
    ...(run.stopped === undefined ? [] : ["stopped"]),
    ...(run.held === undefined ? [] : ["held"]),
    ...(run.spending === undefined ? [] : [`spent ${run.spending.total.tokens}`]),
    ...(run.closed === undefined ? [] : ["closed"]),
    ...(run.outcome === undefined ? [] : [`outcome ${run.outcome.kind}`]),
    ...(open.length === 0 ? [] : [`open ${open.join(" + ")}`]),
    ...(respawnAt === undefined ? [] : [`respawn in ${formatDuration(respawnAt - now)}`]),
    ...(deadline === undefined ? [] : [`due in ${formatDuration(deadline - now)}`]),
  ].join(", ");
}

const describeSession = (session: NonNullable<Run["session"]>): string =>
  [
    `session ${session.epoch} ${session.status}`,
    ...(session.verdict === undefined ? [] : [`(${session.verdict})`]),
    ...(session.attached ? ["attached"] : []),
    ...(session.handOff === undefined || session.status !== "live" ? [] : ["handing off"]),
    ...(session.status === "live" ? describeEvidence(session.evidence) : []),
  ].join(" ");

const describeEvidence = ({ idle, limit, question, looking }: Evidence): string[] => [
  ...(idle === undefined ? [] : [`idle ${idle.checks}`]),
  ...(limit === undefined ? [] : ["limited"]),
  ...(question === undefined ? [] : ["asking"]),
  ...(looking ? ["looked at"] : []),
];

function describeStage(stage: Stage): string {
  if (stage.kind === "escalated") return `escalated (${stage.escalation.reason})`;
  if (stage.kind === "blocking") return `blocking (${stage.reason})`;
  return stage.kind;
}

function counts({ counts: all, crashes, warnings, work }: Run): string[] {
  const counted = Object.entries({ ...all, crashes: crashes.length, warnings: warnings.length });
  if (work.kind === "task" && work.refusals > 0) counted.push(["refusals", work.refusals]);
  return counted
    .filter(([, value]) => value !== 0 && value !== false)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`));
}

export function describeOutput(output: Output): string[] {
  return [
    ...output.cancelled.map((key) => `  cancel ${shortKey(key)}`),
    ...output.effects.map(({ key, effect }) => {
      return `  do ${effect.kind} [${shortKey(key)}]${detail(effect)}`;
    }),
    ...output.tells
      .filter(({ event }) => event.kind !== "worker-started")
      .map(({ to, event }) => {
        const answer = event.kind === "task-finished" ? ` ${event.outcome.kind}` : "";
        return `  tell ${to.replace(/:.*\//, " ")} ${event.kind}${answer}`;
      }),
    ...output.signals.map((signal) => `  signal ${signal.kind}${signalDetail(signal)}`),
  ];
}

const TOLD: Partial<Record<SignalKind, string[]>> = {
  HOOK_UPDATED: ["work_phase", "tests_status", "status"],
  CONTEXT_WARNING: ["urgency"],
  ORCHESTRATOR_STUCK: ["reason"],
  AGENT_TERMINATED: ["verdict"],
};

/** What a signal carries that its kind does not say. */
const signalDetail = ({ kind, detail: said }: Output["signals"][number]): string =>
  (TOLD[kind] ?? []).map((name) => ` ${String(said[name])}`).join("");

const shortKey = (key: string): string => key.replace(/^(?:run:[^/]*\/[^:]*|queue:[^:]*):/, "");

/** What an effect says beyond its key. */
function detail(effect: Effect): string {
  switch (effect.kind) {
    case "spawn-session":
      return effect.tell.length === 0
        ? ""
        : ` telling ${effect.tell.map(({ id }) => id).join(" ")}`;
    case "deliver-message":
      return ` "${sentence(effect.text)}"`;
    case "notify":
      return ` ${effect.severity}: "${effect.title}" ${effect.body}`;
    case "settle-issue": {
      const labels = [
        ...effect.addLabels.map((label) => `+${label}`),
        ...effect.removeLabels.map((label) => `-${label}`),
      ];
      const comment = effect.comment === undefined ? [] : ["with a comment"];
      return ` ${[effect.close ? "close" : "keep open", ...labels, ...comment].join(" ")}`;
    }
    default:
      return "";
  }
}

/** The first line of a message's text, after its header. */
function sentence(file: string): string {
  const text = file.slice(file.indexOf("\n\n") + 2);
  const line = text.split("\n", 1)[0] ?? "";
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
