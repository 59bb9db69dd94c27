// A run among others who behave at random: agents that write and exit at any moment, effects that
// succeed or fail, people, reviewers, a merge queue, a clock. It keeps what the core cannot see
// (which processes are really there), so that properties can be checked against it.
import type { Obligation } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import { commitId } from "../../src/core/ids.ts";
import { runDeadline } from "../../src/core/run/proceed.ts";
import type { Run } from "../../src/core/run/run.ts";
import { outcomeOf } from "./transcript/outcomes.ts";
import { requested, stepped, type Stepped } from "./run.ts";

export type Chance = { action: number; detail: number };

export type RunWorld = {
  now: number;
  run: Run;
  outbox: Obligation[];
  /** Lives whose processes may be there: started, and not ended by us yet. */
  processes: Set<number>;
  /** The head that waits in the merge queue. */
  queued: string | undefined;
  settled: number;
  cleared: number;
  commits: number;
  stamps: number;
  /** Called after every step. */
  check: (step: { before: Run; event: Event } & Stepped) => void;
};

export function newRunWorld(check: RunWorld["check"], required: boolean): RunWorld {
  const first = requested();
  const config = { ...first.config, review: { required } };
  const { run, output } = stepped(undefined, { ...first, config });
  const world: RunWorld = {
    now: 0,
    run,
    outbox: [],
    processes: new Set(),
    queued: undefined,
    settled: 0,
    cleared: 0,
    commits: 1,
    stamps: 0,
    check,
  };
  takeOver(world, { run, output });
  return world;
}

export function happen(world: RunWorld, event: Event): void {
  const before = deepFreeze(world.run);
  const after = stepped(before, event);
  takeOver(world, after);
  world.check({ before, event, ...after });
}

function takeOver(world: RunWorld, { run, output }: Stepped): void {
  world.run = run;
  world.outbox = world.outbox.filter(({ key }) => !output.cancelled.includes(key));
  for (const obligation of output.effects) {
    if (obligation.effect.kind === "settle-issue") world.settled += 1;
    if (!world.outbox.some(({ key }) => key === obligation.key)) world.outbox.push(obligation);
  }
  for (const { event } of output.tells) {
    if (event.kind === "entry-requested") world.queued = event.entry.head;
    if (event.kind === "entry-withdrawn") world.queued = undefined;
    if (event.kind === "run-cleared") world.cleared += 1;
  }
}

/** Effects of one lane are carried out in order: only the first of each can be next. */
const ready = (world: RunWorld): Obligation[] =>
  world.outbox.filter((row, at) => world.outbox.findIndex(({ lane }) => lane === row.lane) === at);

export function carryOut(world: RunWorld, detail: number, fails: boolean): void {
  const row = ready(world)[detail % Math.max(1, ready(world).length)];
  if (row === undefined) return;
  world.outbox = world.outbox.filter((other) => other !== row);
  const { effect } = row;
  if (fails) {
    const failed = { obligation: row, code: "broken", message: "it broke" };
    happen(world, { kind: "effect-failed", at: world.now, failed });
    return;
  }
  if (effect.kind === "spawn-session") {
    if (world.processes.size > 0) throw new Error(`life ${effect.epoch} starts beside another`);
    world.processes.add(effect.epoch);
  }
  if (effect.kind === "end-session") world.processes.delete(effect.marks.epoch);
  const words = ["done", effect.kind, ["green", "red", "infra", "conflict"][detail % 4] ?? ""];
  const options = fetchOptions(world, detail);
  const event = outcomeOf(effect, { words, options, line: "" }, world.now);
  if (event !== undefined) happen(world, event);
}

/** What a fetch finds: usually a new commit, sometimes the same head, nothing, or all of it landed. */
function fetchOptions(world: RunWorld, detail: number): Record<string, string> {
  if (detail % 10 === 0) return { head: "base", ahead: "0", landed: "yes" };
  if (detail % 10 === 1) return { head: `c${world.commits}`, ahead: "0", landed: "yes" };
  if (detail % 10 > 3) world.commits += 1;
  return { head: `c${world.commits}` };
}

/** The clock moves to the next deadline, or by a while; what is due happens. */
export function passTime(world: RunWorld, durationMs: number): void {
  world.now += durationMs;
  for (let wakes = 0; (runDeadline(world.run) ?? Infinity) <= world.now; wakes += 1) {
    if (wakes > 10) throw new Error("a deadline stays due");
    happen(world, { kind: "deadline-passed", at: world.now });
  }
}

const PHASES = ["awaiting_ci", "awaiting_review", "done", "escalate", "failed", "nonsense"];

export function agentEvent(world: RunWorld, { action, detail }: Chance, epoch: number): Event {
  const at = world.now;
  world.stamps += 1;
  const stamp = `s${detail % 7 === 0 ? 0 : world.stamps}`;
  switch (action % 7) {
    case 0:
    case 1: {
      const text = `PHASE:${PHASES[detail % PHASES.length]}\nReason: q${world.stamps}.\n`;
      return { kind: "phase-observed", at, epoch, stamp, text };
    }
    case 2: {
      const code = [0, 0, 1, 127][detail % 4] ?? 0;
      const exit = { code, signal: null, startedAt: 0, endedAt: at };
      return { kind: "session-exited", at, epoch, exit: detail % 5 === 0 ? undefined : exit };
    }
    case 3:
      return { kind: "message-acknowledged", at, epoch, id: `m${1 + (detail % 6)}` };
    case 4:
      return { kind: "session-seen", at, epoch, attached: detail % 3 === 0 };
    case 5:
      return { kind: "message-delivered", at, epoch, id: `m${1 + (detail % 6)}` };
    default:
      // Only our own effect says that the current life has ended.
      if (epoch !== world.run.epoch) return { kind: "session-ended", at, epoch };
      return { kind: "spool-received", at, epoch, name: "1", text: spoolText(world, detail) };
  }
}

/** A request for help, or something that makes no sense. */
const spoolText = ({ stamps }: RunWorld, detail: number): string =>
  detail % 3 === 0 ? "{}" : JSON.stringify({ v: 1, kind: "help", at: 0, text: `q${stamps}.` });

export function otherEvent(world: RunWorld, { action, detail }: Chance): Event {
  const at = world.now;
  const by = "ada";
  const head = commitId(world.queued ?? "none");
  switch (action % 10) {
    case 0:
      return { kind: "run-stopped", at, by };
    case 1:
      return { kind: "run-retried", at, by };
    case 2:
      return { kind: "run-held", at, by };
    case 3:
      return { kind: "run-released", at, by };
    case 4:
      return { kind: "escalation-answered", at, by, text: "Go on." };
    case 5:
      return {
        kind: "issue-observed",
        at,
        state: detail % 20 === 0 ? "closed" : "open",
        labels: [],
      };
    case 6:
      return { kind: "clock-jumped", at, gapMs: 3_600_000 };
    case 7: {
      const verdict = detail % 2 === 0 ? ("approve" as const) : ("request-changes" as const);
      const about = world.run.head ?? head;
      const facts = { id: `r${detail}`, author: by, head: about, body: "", createdAt: at };
      return { kind: "reviews-observed", at, reviews: [{ ...facts, verdict, dismissed: false }] };
    }
    default:
      return queueEvent(world, detail);
  }
}

/** The queue speaks only of what it has. */
function queueEvent(world: RunWorld, detail: number): Event {
  const at = world.now;
  if (world.queued === undefined)
    return { kind: "checkpoint-made", at, outcome: { kind: "absent" } };
  const head = commitId(world.queued);
  world.queued = undefined;
  if (detail % 3 === 0) return { kind: "entry-landed", at, commit: commitId("merged"), head };
  return { kind: "entry-returned", at, head, reason: { kind: "conflict", files: ["a.txt"] } };
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
