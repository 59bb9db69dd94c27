// Which effects the state of the queue stands for. What is new after a step is asked for, what is
// gone is cancelled, and builds that nothing stands on any more are let go: all by comparing, so
// that no path through the step can forget one.
import type { Effect, Obligation, Output } from "../effect.ts";
import { queueAggregate, type Commit } from "../ids.ts";
import {
  entryById,
  type Entry,
  type Landing,
  type Queue,
  type QueuePolicy,
  type Slot,
} from "./queue.ts";

type Wanted = Map<string, () => Obligation>;

export function reconcile(before: Queue, after: Queue, output: Output): void {
  if (before === after) return;
  const [had, wants] = [wanted(before), wanted(after)];
  for (const key of had.keys()) if (!wants.has(key)) output.cancelled.push(key);
  for (const [key, obligation] of wants) if (!had.has(key)) output.effects.push(obligation());
  const gone = [...buildsOf(before)].filter((ref) => !buildsOf(after).has(ref));
  if (gone.length > 0) output.effects.push(release(after, gone));
}

/** Every build whose commits are stacked, being made, or being landed. */
const buildsOf = (queue: Queue): Set<string> =>
  new Set([
    ...queue.stack.map((slot) => slot.build),
    ...(queue.prepared?.slots ?? []).map((slot) => slot.build),
    ...(queue.building === undefined ? [] : [queue.building.ref]),
  ]);

function wanted(queue: Queue): Wanted {
  const { policy, target, building, landing, survey, look } = queue;
  const map: Wanted = new Map();
  const aggregate = queueAggregate(queue.project);
  const add = (name: string, ref: string, effect: () => Effect): void => {
    const key = `${aggregate}:${name}:${ref}`;
    // Checks take long and go side by side; the quick ones wait for their like.
    const lane = name === "check" || name === "prove" ? key : `${aggregate}:${name}`;
    map.set(key, () => ({ key, lane, effect: effect() }));
  };
  if (survey !== undefined) {
    add("survey", survey.ref, () => surveyEffect(queue, survey.ref, survey.entries));
  }
  if (look !== undefined) {
    const { ref, commit } = look;
    add("look", ref, () => ({ kind: "look-at-target", ref, target: commit }));
  }
  if (landing?.ref !== undefined) {
    const { ref } = landing;
    add("land", ref, () => landEffect(queue, { ...landing, ref }));
  }
  if (policy === undefined) return map;
  const { ci } = policy;
  if (building !== undefined) {
    add("build", building.ref, () => buildEffect(queue, policy, building));
  }
  if (target?.test !== undefined) {
    const { ref, commit = target.commit } = target.test;
    const fresh = target.fresh === true ? { fresh: true as const } : {};
    add("prove", ref, () => ({ kind: "check-target", ref, target: commit, ci, ...fresh }));
  }
  for (const { test, commit, verdict } of queue.stack) {
    if (test === undefined) continue;
    const confirms = verdict?.kind === "red";
    add("check", test.ref, () => ({
      kind: "check-candidate",
      ref: test.ref,
      commit,
      ci,
      confirms,
    }));
  }
  return map;
}

function landEffect(queue: Queue, landing: Landing & { ref: string }): Effect {
  const { ref, commit: candidate, expected } = landing;
  const entries = landing.entries.flatMap((id) => entryById(queue, id) ?? []);
  const prs = entries.map(({ pr, branch, head }) => ({ pr, branch, head }));
  const strategy = queue.policy?.strategy;
  return { kind: "land", ref, candidate, expected, prs, ...(strategy && { strategy }) };
}

function surveyEffect(queue: Queue, ref: string, entries: number[]): Effect {
  const fresh: Commit[] = [];
  const others: Commit[] = [];
  for (const entry of queue.entries) {
    if (entries.includes(entry.id)) fresh.push(entry.head);
    else if (entry.surveyed) others.push(entry.head);
  }
  return { kind: "survey-queue", ref, fresh, others };
}

function buildEffect(
  queue: Queue,
  policy: QueuePolicy,
  building: NonNullable<Queue["building"]>,
): Effect {
  const { ref, onto, entries, without } = building;
  const heads = entries
    .flatMap((id) => entryById(queue, id) ?? [])
    .map((entry) => ({ branch: entry.branch, head: entry.head, message: messageOf(entry) }));
  const under = queue.stack.filter((slot) => slot.entry !== without);
  const below = [...(queue.target ? [queue.target.commit] : []), ...under.map(slotCommit)];
  const { strategy, resolve } = policy;
  return {
    kind: "build-candidate",
    ref,
    onto,
    heads,
    strategy,
    below,
    ...(resolve === undefined ? {} : { resolve }),
  };
}

const slotCommit = ({ commit }: Slot): Commit => commit;

const messageOf = (entry: Entry): string =>
  entry.issue === undefined ? entry.title : `${entry.title} (#${entry.issue})`;

/** In the lane of the builds, so that it comes after one that is still being given up. */
function release(queue: Queue, refs: string[]): Obligation {
  const aggregate = queueAggregate(queue.project);
  return {
    key: `${aggregate}:release:${refs.join(",")}`,
    lane: `${aggregate}:build`,
    effect: { kind: "release-candidates", refs },
  };
}
