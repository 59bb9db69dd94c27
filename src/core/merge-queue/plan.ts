// The planner: from the whole queue, its results and its limits to what to do now. It reads
// everything again every time and remembers nothing, so that no event can leave it behind.
// It never blames an entry unless the target below it is proven, everything before it landed, and the
// same tree failed twice: once may be a flake, which is enough to split and not to blame.
import type { CheckOutcome } from "../check.ts";
import type { Commit } from "../ids.ts";
import {
  greenEnd,
  landingEnd,
  narrowingPoints,
  prefixPoints,
  redEnd,
  tested,
  unproven,
} from "./batch.ts";
import { isLookDue } from "./look-at-target.ts";
import { inQueueOrder, select } from "./order.ts";
import { isAnswerDue, isProofDue } from "./prove.ts";
import {
  entryById,
  isFrozen,
  soloPositions,
  type Entry,
  type Queue,
  type QueuePolicy,
  type Target,
} from "./queue.ts";
import { afterBlame, batchSize } from "./savings.ts";

/** So many new entries are compared with the rest at a time; the first ones need not wait for all. */
const SURVEYED_AT_ONCE = 32;
/** The longest stack: k lanes of s entries, but never more than this. */
const STACK_MAX = 128;

export type Plan = {
  /** Look at the target, the policy, and the conflicts of these entries. */
  survey: number[] | undefined;
  /** How many slots of the stack stay. */
  keep: number;
  /** Stack these entries on top; `without`: instead of this suspect, where it leaves. */
  build: { onto: Commit; entries: number[]; without?: number } | undefined;
  /** Check the prefixes that end here, counted in entries from the target. */
  tests: number[];
  /** Check the bare target. */
  prove: boolean;
  /** Look at what the CI server says of the bare target. */
  look: boolean;
  /** Land the prefix that ends here. */
  land: number | undefined;
  /** A landing failed on the way: find out whether it happened, by doing it again. */
  landAgain: boolean;
  /** Send this entry back: it is red on top of a proven target. */
  blame: { entry: number; outcome: Extract<CheckOutcome, { kind: "failed" }> } | undefined;
  /** The bare target is red: stop. */
  redTarget: boolean;
};

export function plan(queue: Queue, now: number): Plan {
  const idle: Plan = {
    survey: surveyed(queue, now),
    keep: queue.stack.length,
    build: undefined,
    tests: [],
    prove: isProofDue(queue, now),
    look: isLookDue(queue, now),
    land: undefined,
    landAgain: false,
    blame: undefined,
    redTarget: false,
  };
  const { target, policy } = queue;
  if (isFrozen(queue, now) || target === undefined || policy === undefined) return idle;
  const solo = soloPositions(queue);
  const scene = { queue, target, policy, now, solo };
  const red = redEnd(queue.stack, solo);
  const next = red === undefined ? grow(scene) : narrow(scene, red);
  return { ...idle, ...landing(scene), ...next, prove: idle.prove || next.prove === true };
}

type Scene = { queue: Queue; target: Target; policy: QueuePolicy; now: number; solo: number[] };

/** What must be looked at before it is built on: new entries, a target that may have moved. */
function surveyed(queue: Queue, now: number): number[] | undefined {
  const isAsked = isAnswerDue(queue, now);
  if (queue.survey !== undefined || (queue.entries.length === 0 && !isAsked)) return undefined;
  // A red target is watched even though everything else stands still, and so is one that agents wait for.
  const frozen = isFrozen(queue, now);
  const isWatched = queue.paused === undefined && queue.stop?.kind === "red-target";
  if (frozen && !isWatched && !isAsked) return undefined;
  const unknown = queue.target === undefined || queue.policy === undefined;
  const doubt = isAsked && queue.inDoubt === true;
  const due = unknown || doubt || (queue.surveyAt !== undefined && queue.surveyAt <= now);
  const fresh = queue.entries.filter((entry) => !entry.surveyed);
  if (!(due && queue.landing === undefined) && (fresh.length === 0 || frozen)) return undefined;
  return inQueueOrder(fresh)
    .slice(0, SURVEYED_AT_ONCE)
    .map((entry) => entry.id);
}

function landing({ queue, solo }: Scene): Partial<Plan> {
  if (queue.landing !== undefined) return { landAgain: queue.landing.ref === undefined };
  const end = landingEnd(queue.stack, solo);
  return end === 0 ? {} : { land: end };
}

/** A prefix is red: find the first bad entry on top of what is green. */
function narrow(scene: Scene, red: number): Partial<Plan> {
  const { queue, target, policy, solo } = scene;
  const { stack } = queue;
  const green = greenEnd(stack, solo);
  // Where to look: between what passed, even if only together with others, and what did not.
  const passed = greenEnd(stack.slice(0, red), []);
  const active = tested(stack).filter((position) => position > green && position <= red);
  const proving = target.test !== undefined;
  const free = policy.lanes - active.length - (proving ? 1 : 0);
  // No entry is blamed for a target that is red by itself.
  const unknown = passed === 0 && target.proof !== "green";
  if (unknown && target.proof === "red") return { redTarget: true };
  // A red target shows at the end of the search, as the first entry would; a spare lane asks at once.
  const isNext = policy.lanes > 1 || red === passed + 1;
  const prove = unknown && isNext && !proving && free > 0;
  const left = prove ? free - 1 : free;
  const due = unproven(stack, solo).filter((at) => at < passed && !active.includes(at));
  const proofs = due.slice(0, Math.max(0, left));
  const points = narrowingPoints({ green: passed, red, active, free: left - proofs.length });
  const tests = [...proofs, ...points];
  const verdict = stack[red - 1]?.verdict;
  if (verdict?.kind !== "red") return { keep: red, prove };
  const build = red > passed + 1 ? undefined : instead(scene, red);
  if (red > passed + 1 || !verdict.confirmed) {
    const again = verdict.confirmed || active.includes(red) || tests.length >= left ? [] : [red];
    return { keep: red, prove, tests: [...tests, ...again], build };
  }
  // What is green below must have landed first: an entry is red on top of the target, not of a hope.
  const ready = passed === 0 && !unknown && queue.landing === undefined;
  const entry = stack[red - 1]?.entry;
  if (!ready || entry === undefined) return { keep: red, prove, tests: proofs, build };
  return { keep: red, blame: { entry, outcome: verdict.outcome } };
}

/**
 * While the entry at `red` is confirmed, the first batch without it is built: once it is blamed, the
 * next check begins at once. Undefined where that is done, or nothing else could be stacked. With a
 * resolver, too: a conflict of such a build is not kept, so that the resolver would run twice.
 */
function instead({ queue, target, policy, now }: Scene, red: number): Plan["build"] {
  const { stack, building, prepared } = queue;
  const without = stack[red - 1]?.entry;
  const onto = stack[red - 2]?.commit ?? target.commit;
  if (policy.resolve !== undefined) return undefined;
  if (without === undefined || prepared?.without === without) return undefined;
  if (building?.without === without && stack.length === red) return undefined;
  const below = stack.slice(0, red - 1).flatMap((slot) => entryById(queue, slot.entry) ?? []);
  const others = queue.entries.filter((entry) => entry.id !== without);
  const { chosen } = select({ ...queue, entries: others }, now, below);
  const size = policy.lanes * batchSize(afterBlame(queue), policy, below.length);
  const entries = chosen.slice(below.length, below.length + Math.min(size, STACK_MAX));
  if (entries.length === 0 || (entries.length < size && isLookingAtNew(queue))) return undefined;
  return { onto, entries: entries.map(({ id }) => id), without };
}

/** Nothing is red: stack the next entries and test nested prefixes. */
function grow({ queue, target, policy, now, solo }: Scene): Partial<Plan> {
  const { stack, building } = queue;
  // On a target known to be red only something new can help: wait until it can be stacked.
  if (target.proof === "red" && queue.entries.some((entry) => !entry.surveyed)) return {};
  const green = greenEnd(stack, solo);
  const active = tested(stack).filter((position) => position > green);
  const pinned = Math.max(green, ...active);
  const { keep, desired } = wanted({ queue, now, pinned });
  const step = batchSize(queue, policy, green);
  const room = Math.min(green + policy.lanes * step, STACK_MAX) - keep;
  // Looking for conflicts takes no time beside a check: who came together is tested together.
  const filled = pinned + desired.length >= green + policy.lanes * step;
  if (!filled && isLookingAtNew(queue)) return { keep };
  const built = keep - pinned;
  const missing = desired.slice(built, built + Math.max(0, room));
  if (keep === stack.length && building !== undefined) return { keep };
  const onto = stack[keep - 1]?.commit ?? target.commit;
  const stacked = (entries: Entry[]) => ({ onto, entries: entries.map(({ id }) => id) });
  if (missing.length > 0) return { keep, build: stacked(missing) };
  const free = policy.lanes - active.length;
  const even = Math.ceil(built / Math.max(1, free));
  const points = prefixPoints({
    green,
    active,
    free,
    length: keep,
    step: Math.max(1, Math.min(step, even)),
    solo,
  });
  // Proven before what stands below it was: it need not be proven again.
  const tests = points.filter((point) => stack[point - 1]?.verdict === undefined);
  const ahead = desired.slice(built, built + Math.max(0, aheadOf(active, step, room)));
  return ahead.length > 0 && tests.length === 0 ? { keep, build: stacked(ahead) } : { keep, tests };
}

/**
 * While all checks run, what comes after them is stacked already, so that the next one begins at once.
 * After a green batch the next may have twice its size.
 */
const aheadOf = (active: number[], step: number, room: number): number =>
  active.length === 0 ? 0 : room + 2 * step;

const isLookingAtNew = ({ survey }: Queue): boolean =>
  survey !== undefined && survey.entries.length > 0;

/** What is under test stays; the rest of the stack stays as far as it still is the order wanted. */
function wanted({ queue, now, pinned }: { queue: Queue; now: number; pinned: number }): {
  keep: number;
  desired: Entry[];
} {
  const first = queue.stack.slice(0, pinned).flatMap((slot) => entryById(queue, slot.entry) ?? []);
  const desired = select(queue, now, first).chosen.slice(first.length);
  const tail = queue.stack.slice(pinned);
  const differs = tail.findIndex((slot, index) => slot.entry !== desired[index]?.id);
  return { keep: pinned + (differs === -1 ? tail.length : differs), desired };
}
