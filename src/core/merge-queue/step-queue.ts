// The merge queue's step, as a plain sequence: build the result of the next entry on top of the
// target, check exactly that tree, land exactly that commit. Nothing lands through an unproven gate.
import type { CheckOutcome } from "../check.ts";
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event, QueueEvent } from "../event.ts";
import { queueAggregate, runAggregate, type Commit } from "../ids.ts";
import type { LandingOutcome } from "./entry.ts";
import {
  dueAgain,
  effectFailed,
  entryOfTest,
  hinder,
  later,
  trouble,
  unhindered,
} from "./hindrance.ts";
import {
  inQueueOrder,
  type Entry,
  type PastEntry,
  type Queue,
  type ReturnReason,
  type Test,
} from "./queue.ts";

const PAST_MAX = 50;
/** How often a landing that the user's checkout holds up is tried again. */
const HELD_RETRY_MS = 10_000;

type EventOf<K extends QueueEvent["kind"]> = Extract<QueueEvent, { kind: K }>;
type TestOf<S extends Test["step"]> = Extract<Test, { step: S }>;

export function stepQueue(
  queue: Queue | undefined,
  event: Event,
  output: Output,
): Queue | undefined {
  if (queue === undefined) return event.kind === "queue-opened" ? open(event) : undefined;
  const context = { at: event.at, output };
  return next(taken(queue, event, context), context);
}

function taken(queue: Queue, event: Event, context: Context): Queue {
  switch (event.kind) {
    case "entry-requested":
      return request(queue, event);
    case "entry-withdrawn":
      return withdraw(queue, event, context);
    case "candidate-built":
      return inStep(queue, event.ref, "building", () => built(queue, event, context));
    case "candidate-empty":
      return inStep(queue, event.ref, "building", (test) => empty(queue, { test, event }, context));
    case "candidate-conflicted":
      return inStep(queue, event.ref, "building", (test) =>
        giveBack(queue, { test, reason: { kind: "conflict", files: event.files } }, context),
      );
    case "candidate-checked":
      return inStep(queue, event.ref, "checking", (test) =>
        checked(queue, { test, outcome: event.outcome }, context),
      );
    case "target-checked":
      return inStep(queue, event.ref, "proving", (test) =>
        proven(queue, { test, outcome: event.outcome }, context),
      );
    case "landing-finished":
      return inStep(queue, event.ref, "landing", (test) =>
        landingFinished(queue, { test, outcome: event.outcome }, context),
      );
    case "queue-paused":
      return { ...queue, paused: { by: event.by, why: event.why, at: event.at } };
    case "queue-resumed":
      return { ...queue, paused: undefined, entries: queue.entries.map(unhindered) };
    case "deadline-passed":
      return { ...queue, entries: queue.entries.map((entry) => dueAgain(entry, event.at)) };
    case "clock-jumped":
      return { ...queue, entries: queue.entries.map((entry) => later(entry, event.gapMs)) };
    case "effect-failed":
      return effectFailed(queue, event);
    default:
      return queue;
  }
}

const open = (event: EventOf<"queue-opened">): Queue => ({
  kind: "queue",
  project: event.project,
  nextEntry: 1,
  nextTest: 1,
  entries: [],
  past: [],
  test: undefined,
  paused: undefined,
});

/** Only the outcome of the test under way counts; one of an abandoned try changes nothing. */
function inStep<S extends Test["step"]>(
  queue: Queue,
  ref: string,
  ...[step, then]: [S, (test: TestOf<S>) => Queue]
): Queue {
  const { test } = queue;
  return test?.ref === ref && test.step === step ? then(test as TestOf<S>) : queue;
}

function request(queue: Queue, event: EventOf<"entry-requested">): Queue {
  const waiting = queue.entries.find((entry) => entry.branch === event.entry.branch);
  if (waiting?.head === event.entry.head) return queue;
  const before = queue.past.findLast((past) => past.branch === event.entry.branch);
  const entry: Entry = {
    ...event.entry,
    id: queue.nextEntry,
    requestedAt: event.at,
    attempts: waiting?.attempts ?? (before?.end.kind === "returned" ? before.attempts : 0),
    notBefore: undefined,
    obstacle: undefined,
    troubles: 0,
  };
  return {
    ...queue,
    nextEntry: queue.nextEntry + 1,
    entries: [...queue.entries.filter((other) => other !== waiting), entry],
    test: queue.test?.entry === waiting?.id ? undefined : queue.test,
  };
}

function withdraw(queue: Queue, event: EventOf<"entry-withdrawn">, context: Context): Queue {
  const entry = queue.entries.find((candidate) => candidate.branch === event.branch);
  // What is being landed cannot be called back: its outcome decides.
  if (entry === undefined || (queue.test?.entry === entry.id && queue.test.step === "landing"))
    return queue;
  abandon(queue, entry, context);
  return leave(queue, { ...entry, leftAt: event.at, end: { kind: "withdrawn", why: event.why } });
}

function abandon(queue: Queue, entry: Entry, context: Context): void {
  const { test } = queue;
  if (test?.entry !== entry.id) return;
  for (const effect of ["build", "check", "prove"])
    context.output.cancelled.push(effectKey(queue, test.ref, effect));
}

function leave(queue: Queue, past: PastEntry): Queue {
  return {
    ...queue,
    entries: queue.entries.filter((entry) => entry.id !== past.id),
    past: [...queue.past.filter((other) => other.branch !== past.branch), past].slice(-PAST_MAX),
    test: queue.test?.entry === past.id ? undefined : queue.test,
  };
}

/** Starts the next test where none is under way. */
function next(queue: Queue, context: Context): Queue {
  if (queue.test !== undefined || queue.paused !== undefined) return queue;
  const entry = inQueueOrder(queue.entries).find((candidate) => candidate.notBefore === undefined);
  if (entry === undefined) return queue;
  const ref = `${queue.nextTest}`;
  push(queue, { ref, name: "build" }, context, {
    kind: "build-candidate",
    ref,
    heads: [{ branch: entry.branch, head: entry.head, message: messageOf(entry) }],
    strategy: entry.strategy,
  });
  return {
    ...queue,
    nextTest: queue.nextTest + 1,
    test: { ref, entry: entry.id, step: "building" },
    entries: queue.entries.map((other) =>
      other.id === entry.id ? { ...other, attempts: other.attempts + 1 } : other,
    ),
  };
}

const messageOf = (entry: Entry): string =>
  entry.issue === undefined ? entry.title : `${entry.title} (#${entry.issue})`;

const effectKey = (queue: Queue, ref: string, name: string): string =>
  `${queueAggregate(queue.project)}:${name}:${ref}`;

function push(
  queue: Queue,
  id: { ref: string; name: string },
  ...[context, effect]: [Context, Output["effects"][number]["effect"]]
): void {
  const lane = queueAggregate(queue.project);
  context.output.effects.push({ key: effectKey(queue, id.ref, id.name), lane, effect });
}

function built(queue: Queue, event: EventOf<"candidate-built">, context: Context): Queue {
  const entry = entryOfTest(queue);
  if (entry === undefined) return queue;
  const { ref, commit, tree, onto } = event;
  push(queue, { ref, name: "check" }, context, {
    kind: "check-candidate",
    ref,
    commit,
    tree,
    ci: entry.ci,
  });
  return { ...queue, test: { ref, entry: entry.id, step: "checking", onto, commit, tree } };
}

/** Nothing new for the target: either its content is there already, or there never was any. */
function empty(
  queue: Queue,
  found: { test: TestOf<"building">; event: EventOf<"candidate-empty"> },
  context: Context,
): Queue {
  if (found.event.landed) return merged(queue, found.event.onto, context);
  return giveBack(
    queue,
    {
      test: found.test,
      reason: { kind: "held", why: "the branch has nothing that the target lacks" },
    },
    context,
  );
}

function checked(
  queue: Queue,
  result: { test: TestOf<"checking">; outcome: CheckOutcome },
  context: Context,
): Queue {
  const entry = entryOfTest(queue);
  if (entry === undefined) return queue;
  const { test, outcome } = result;
  const { ref, onto, commit, tree } = test;
  if (outcome.kind === "infra") return trouble(queue, outcome.message, context.at);
  if (outcome.kind === "failed") {
    push(queue, { ref, name: "prove" }, context, {
      kind: "check-target",
      ref,
      target: onto,
      ci: entry.ci,
    });
    return { ...queue, test: { ref, entry: entry.id, step: "proving", onto, outcome } };
  }
  push(queue, { ref, name: "land" }, context, {
    kind: "land",
    ref,
    candidate: commit,
    expected: onto,
  });
  return { ...queue, test: { ref, entry: entry.id, step: "landing", onto, commit, tree, outcome } };
}

/** An entry is blamed only on top of a green base; a red target stops the queue. */
function proven(
  queue: Queue,
  result: { test: TestOf<"proving">; outcome: CheckOutcome },
  context: Context,
): Queue {
  if (result.outcome.kind === "infra") return trouble(queue, result.outcome.message, context.at);
  if (result.outcome.kind === "passed") {
    return giveBack(
      queue,
      { test: result.test, reason: { kind: "tests", outcome: result.test.outcome } },
      context,
    );
  }
  const why = `the target itself is red at ${result.test.onto.slice(0, 10)}: nothing can land on it`;
  return { ...queue, test: undefined, paused: { by: "pawl", why, at: context.at } };
}

function landingFinished(
  queue: Queue,
  result: { test: TestOf<"landing">; outcome: LandingOutcome },
  context: Context,
): Queue {
  const { outcome } = result;
  switch (outcome.kind) {
    case "landed":
      return merged(queue, outcome.commit, context);
    case "target-moved":
      return { ...queue, test: undefined };
    case "held":
      return hinder(queue, { obstacle: outcome.why, at: context.at + HELD_RETRY_MS });
    case "rejected":
      return {
        ...queue,
        test: undefined,
        paused: { by: "pawl", why: `${outcome.why} (${outcome.hint})`, at: context.at },
      };
  }
}

function merged(queue: Queue, commit: Commit, context: Context): Queue {
  const entry = entryOfTest(queue);
  if (entry === undefined) return queue;
  signal(
    queue,
    { kind: "MERGE_COMPLETE", entry, detail: { branch: entry.branch, commit } },
    context,
  );
  if (entry.run !== undefined) {
    context.output.tells.push({
      to: runAggregate(queue.project, entry.run),
      event: { kind: "entry-landed", at: context.at, commit, head: entry.head },
    });
  }
  return leave(queue, { ...entry, leftAt: context.at, end: { kind: "merged", commit } });
}

function giveBack(
  queue: Queue,
  given: { test: Test; reason: ReturnReason },
  context: Context,
): Queue {
  const entry = queue.entries.find((candidate) => candidate.id === given.test.entry);
  if (entry === undefined) return { ...queue, test: undefined };
  const { reason } = given;
  signal(queue, { kind: "MERGE_CONFLICT", entry, detail: returnDetail(entry, reason) }, context);
  if (entry.run !== undefined) {
    context.output.tells.push({
      to: runAggregate(queue.project, entry.run),
      event: { kind: "entry-returned", at: context.at, head: entry.head, reason },
    });
  }
  return leave(queue, { ...entry, leftAt: context.at, end: { kind: "returned", reason } });
}

const returnDetail = (entry: Entry, reason: ReturnReason): Record<string, unknown> => ({
  branch: entry.branch,
  reason: reason.kind,
  conflict_files: reason.kind === "conflict" ? reason.files : [],
});

function signal(
  queue: Queue,
  about: {
    kind: "MERGE_COMPLETE" | "MERGE_CONFLICT";
    entry: Entry;
    detail: Record<string, unknown>;
  },
  context: Context,
): void {
  context.output.signals.push({
    kind: about.kind,
    at: context.at,
    project: queue.project,
    identity: about.entry.identity,
    run: about.entry.run,
    detail: about.detail,
  });
}
