// A patrol's step: goes through what a round saw in the order of its steps, and wants done what
// follows. A round in which everything is as before changes nothing and writes nothing.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { patrolAggregate, runAggregate } from "../ids.ts";
import { ESCALATE_FROM, restart, restartByHand, scanHealth } from "./component-health.ts";
import { checkInbox } from "./inbox.ts";
import { writeTo } from "./letters.ts";
import { checkOrphans, orphanSettled } from "./orphan.ts";
import { newPatrol, noted, type Patrol } from "./patrol.ts";
import type {
  DeaconFacts,
  PatrolEvent,
  PendingFact,
  StepNews,
  WitnessFacts,
} from "./patrol-event.ts";
import { triageAnswered, triageDue, triageShifted } from "./triage.ts";
import * as say from "../words/patrol.ts";

/** The daemon's own memory and journal, in MB, above which the operator hears of it. */
const MEMORY_MAX_MB = 600;
const JOURNAL_MAX_MB = 1000;
const FREE_MIN_MB = 200;
const NUDGED_MAX = 200;
/** A daemon that grows too large again at once is left to people: a restart does not help it. */
const EXIT_EVERY_MS = 6 * 3_600_000;

export function stepPatrol(
  patrol: Patrol | undefined,
  event: Event,
  output: Output,
): Patrol | undefined {
  const context = { at: event.at, output };
  if (event.kind === "patrol-observed") {
    const { project, seen } = event;
    const known = patrol ?? newPatrol(project, seen.kind);
    const next = round(known, event, context);
    return next === known ? patrol : next;
  }
  if (event.kind === "component-restart-requested") {
    return restartByHand(patrol ?? newPatrol(event.project, "deacon"), event, context);
  }
  if (event.kind === "patrol-restarted") return restarted(event, patrol);
  return patrol === undefined ? undefined : told(patrol, event, context);
}

function told(patrol: Patrol, event: Event, context: Context): Patrol {
  switch (event.kind) {
    case "task-finished":
      return triageAnswered(patrol, event, context);
    case "deadline-passed":
      return triageDue(patrol, context);
    case "clock-jumped":
      return triageShifted(patrol, event.gapMs);
    case "component-restarted":
      return noted(patrol, "health-scan", {
        at: event.at,
        text: `${event.component} was started again`,
      });
    case "leftovers-fixed":
      return noted(patrol, "session-gc", { at: event.at, text: event.note });
    case "orphan-settled":
      return orphanSettled(patrol, event, event.at);
    case "effect-failed":
      return noted(patrol, "loop-or-exit", {
        at: event.at,
        text: `could not ${event.failed.obligation.effect.kind}: ${event.failed.message}`,
      });
    default:
      return patrol;
  }
}

/**
 * Letters that are being judged are kept: no other part handles them. So are the numbers of its
 * acts.
 */
function restarted(
  { project, name, at, by }: Extract<PatrolEvent, { kind: "patrol-restarted" }>,
  before: Patrol | undefined,
): Patrol {
  const { triage, exitedAt, acts = 0 } = before ?? {};
  const fresh = {
    ...newPatrol(project, name),
    acts,
    ...(triage === undefined ? {} : { triage }),
    ...(exitedAt === undefined ? {} : { exitedAt }),
  };
  const step = name === "deacon" ? "loop-or-exit" : "ping-deacon";
  return noted(fresh, step, { at, text: `restarted by ${by}` });
}

function round(
  patrol: Patrol,
  { seen, previousAt }: Extract<PatrolEvent, { kind: "patrol-observed" }>,
  context: Context,
): Patrol {
  return seen.kind === "deacon"
    ? deaconRound(patrol, { facts: seen.facts, previousAt }, context)
    : witnessRound(patrol, { facts: seen.facts, previousAt }, context);
}

type Seen<Facts> = { facts: Facts; previousAt: number | undefined };

function deaconRound(
  patrol: Patrol,
  { facts, previousAt }: Seen<DeaconFacts>,
  context: Context,
): Patrol {
  const read = checkInbox(patrol, facts, context);
  const begun = triggerPending(read, facts.pending, context);
  const scan = { step: "health-scan", facts: facts.components, previousAt };
  const scanned = scanHealth(begun, scan, context);
  const orphans = checkOrphans(scanned, facts.orphans, context);
  const swept = sweep(orphans, facts.leftovers, context);
  const checked = checkContext(takeNote(swept, facts.news ?? []), facts.own, context);
  return loopOrExit(checked, facts.own, context);
}

/** A session whose prompt is there and that never began is told to, once per life. */
function triggerPending(patrol: Patrol, pending: PendingFact[], context: Context): Patrol {
  let next = patrol;
  for (const { run, identity, epoch, ready } of pending) {
    const mark = `${run}/${epoch}`;
    if (!ready || next.nudged.includes(mark)) continue;
    context.output.tells.push({
      to: runAggregate(patrol.project, run),
      event: { kind: "run-nudged", at: context.at, by: "deacon", text: say.begin(), epoch },
    });
    next = noted(
      { ...next, nudged: [...next.nudged, mark].slice(-NUDGED_MAX) },
      "trigger-pending-spawns",
      { at: context.at, text: `${identity} was told to begin` },
    );
  }
  return next;
}

/** Gates and plugins work by themselves; their steps show what they last did. */
function takeNote(patrol: Patrol, news: StepNews[]): Patrol {
  let next = patrol;
  for (const { step, at, text } of news) {
    if ((next.notes[step]?.at ?? 0) < at) next = noted(next, step, { at, text });
  }
  return next;
}

/**
 * A problem that the doctor could not fix is not tried again every round: `pawl doctor` shows it.
 */
function sweep(patrol: Patrol, leftovers: string[] | undefined, context: Context): Patrol {
  if (leftovers === undefined) return patrol;
  const known = patrol.leftovers ?? [];
  if (leftovers.length === known.length && leftovers.every((one) => known.includes(one))) {
    return patrol;
  }
  const next = { ...patrol, leftovers, acts: patrol.acts + 1 };
  if (leftovers.every((one) => known.includes(one))) return next;
  const aggregate = patrolAggregate(patrol.project, patrol.name);
  context.output.effects.push({
    key: `${aggregate}:fix:${next.acts}`,
    lane: `${aggregate}:orphans`,
    effect: { kind: "fix-leftovers" },
  });
  return next;
}

function checkContext(patrol: Patrol, own: DeaconFacts["own"], context: Context): Patrol {
  const { memoryMb, journalMb, freeMb } = own;
  return warnWhile(
    patrol,
    {
      "daemon-memory": isHeavy(own) ? `the daemon uses ${memoryMb} MB of memory` : undefined,
      journal: journalMb > JOURNAL_MAX_MB ? `the journal takes ${journalMb} MB` : undefined,
      "free-memory":
        freeMb < FREE_MIN_MB ? `the machine has ${freeMb} MB of free memory` : undefined,
    },
    context,
  );
}

const isHeavy = ({ memoryMb, memoryMaxMb = MEMORY_MAX_MB }: DeaconFacts["own"]): boolean =>
  memoryMb > memoryMaxMb;

/**
 * The daemon is the deacon's own context. If it has grown too large and a keeper restarts it, it
 * exits and continues as a fresh process with the same state. Else the next round comes in its
 * time.
 */
function loopOrExit(patrol: Patrol, own: DeaconFacts["own"], { at, output }: Context): Patrol {
  const { keeper, memoryMb } = own;
  if (keeper === undefined || !isHeavy(own)) return patrol;
  if (patrol.exitedAt !== undefined && at - patrol.exitedAt < EXIT_EVERY_MS) return patrol;
  const aggregate = patrolAggregate(patrol.project, patrol.name);
  const acts = patrol.acts + 1;
  output.effects.push({
    key: `${aggregate}:exit:${acts}`,
    lane: `${aggregate}:exit`,
    effect: { kind: "renew-daemon", since: keeper.since },
  });
  const text = say.exits(memoryMb);
  return noted({ ...patrol, acts, exitedAt: at }, "loop-or-exit", { at, text });
}

/** The operator hears of each once, and again only after it was well in between. */
function warnWhile(
  patrol: Patrol,
  problems: Record<string, string | undefined>,
  context: Context,
): Patrol {
  const holding = Object.keys(problems).filter((name) => problems[name] !== undefined);
  const fresh = holding.filter((name) => !patrol.warned.includes(name));
  const isOver = patrol.warned.some((name) => problems[name] === undefined && name in problems);
  if (fresh.length === 0 && !isOver) return patrol;
  let next: Patrol = {
    ...patrol,
    warned: [...patrol.warned.filter((name) => !(name in problems)), ...holding],
  };
  for (const name of fresh) {
    const body = problems[name] ?? "";
    next = noted(next, "context-check", { at: context.at, text: body });
    const letter = { subject: say.heavy(body), body, priority: "high" } as const;
    writeTo("operator", { patrol, letter }, context);
  }
  return next;
}

/** The deacon's last sign of life is read; a late one is pinged, then started again, then told. */
function witnessRound(
  patrol: Patrol,
  { facts, previousAt }: Seen<WitnessFacts>,
  context: Context,
): Patrol {
  const surveyed = survey(patrol, facts.silent, context);
  const { agoMs, lateMs } = facts.deacon;
  const ok = agoMs <= lateMs;
  const component = { name: "deacon", ok, detail: say.patrolLate("deacon", agoMs) };
  const scan = { step: "ping-deacon", facts: [component], previousAt };
  const scanned = scanHealth(surveyed, scan, context);
  const cycles = scanned.health["deacon"]?.unresponsive ?? 0;
  // After the operator was told, a deacon that reads nothing gets no further letters.
  if (ok || cycles > ESCALATE_FROM) return scanned;
  const letter = { subject: "WITNESS_PING", body: component.detail, priority: "low" } as const;
  writeTo("deacon", { patrol: scanned, letter }, context);
  // Only the witness can do this: a deacon that does not go its rounds is restarted at the first
  // sign.
  return cycles === 1 ? restart(scanned, "deacon", context) : scanned;
}

function survey(patrol: Patrol, silent: WitnessFacts["silent"], context: Context): Patrol {
  const marks = silent.map(({ identity, epoch }) => `${identity}/${epoch}`);
  const fresh = silent.filter((_, at) => !patrol.warned.includes(marks[at] ?? ""));
  const isSame = fresh.length === 0 && patrol.warned.every((mark) => marks.includes(mark));
  if (isSame) return patrol;
  let next: Patrol = { ...patrol, warned: marks };
  for (const { identity, sinceMs } of fresh) {
    const subject = say.silentWorker(identity, sinceMs);
    next = noted(next, "survey-workers", { at: context.at, text: subject });
    const letter = { subject, body: "", priority: "normal" } as const;
    writeTo("deacon", { patrol, letter }, context);
  }
  return next;
}
