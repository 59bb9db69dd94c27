// A model of everything around the merge queue: content instead of files, verdicts by rule instead
// of by command. A commit is the list of what is in it, so that equal content is the equal commit.
// It carries out the queue's effects in lanes, in any order that a seed chooses, and checks at every
// landing that the target only ever moves to content that passed.
import type { CheckOutcome, ServerWord } from "../../src/core/check.ts";
import type { CiConfig } from "../../src/core/config.ts";
import { emptyOutput, type Effect, type Obligation } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import { commitId, projectName, treeId, type Commit } from "../../src/core/ids.ts";
import type { LandingOutcome } from "../../src/core/merge-queue/entry.ts";
import { queueDeadline } from "../../src/core/merge-queue/deadline.ts";
import type { Entry, NewEntry, Queue, QueuePolicy } from "../../src/core/merge-queue/queue.ts";
import { stepQueue } from "../../src/core/merge-queue/step-queue.ts";
import { queueRows } from "../../src/core/merge-queue/view.ts";
import { assert } from "../../src/lib/assert.ts";
import { createPrng, type Prng } from "../../src/lib/prng.ts";

export const ci: CiConfig = {
  gates: [{ name: "test", command: "true", timeoutMs: 1000 }],
  none: false,
  setup: undefined,
  keep: [],
  history: false,
  slots: 1,
};

export type Rules = {
  /** Content that is red everywhere, or unless another item in there fixes it. */
  bad: (item: string, content: string[]) => boolean;
  /** Content that is red together. */
  clash: (a: string, b: string) => boolean;
  /** Content that does not merge. */
  conflict: (a: string, b: string) => boolean;
  /** Conflicts that the survey does not see, because only a stack has them. */
  hidden: (a: string, b: string) => boolean;
  changesPolicy: (item: string) => boolean;
  /** Conflicts that the resolver of the policy can help with. */
  resolved: (a: string, b: string) => boolean;
};

export const PEACE: Rules = {
  bad: () => false,
  clash: () => false,
  conflict: () => false,
  hidden: () => false,
  changesPolicy: () => false,
  resolved: () => false,
};

export type World = {
  queue: Queue;
  rules: Rules;
  policy: QueuePolicy;
  target: string[];
  /** Everything the target ever was, in order. */
  history: Commit[];
  now: number;
  pending: { obligation: Obligation; due: number }[];
  /** Contents that were checked, and how many checks were asked for, cancelled ones included. */
  checks: string[];
  /** Contents that were red and were run once more. */
  confirmed: string[];
  asked: number;
  green: Set<string>;
  signals: string[];
  told: { kind: string; head: string; reason?: string }[];
  /** What the project was told of the bare target. */
  heard: string[];
  notices: string[];
  released: Set<string>;
  /** The next outcomes, instead of what the rules would say. */
  nextCheck: ("infra" | "flaky" | "red")[];
  /** What a CI server says of the target, one look after the other; the last one from then on. */
  says: ServerWord[];
  /** Gates cannot run with this in the tree. */
  brokenBy: string | undefined;
  nextLanding: LandingOutcome[];
  /** No account may push to the target: its forge merges, one by one. */
  forge: boolean;
  failNext: Set<Effect["kind"]>;
  durationOf: (effect: Effect) => number;
  /** Long runs: what has landed is one item from then on, under the commit it landed as. */
  folded: Map<Commit, string[]> | undefined;
};

export const commitOf = (content: string[]): Commit => commitId(`c:${content.join("+")}`);
export const contentOf = (world: World, commit: Commit): string[] =>
  world.folded?.get(commit) ?? commit.slice(2).split("+");
const targetOf = (world: World): Commit => world.history.at(-1) ?? commitOf(world.target);
const treeOf = (content: string[]): string => content.toSorted().join("+");

export function createWorld(options: {
  rules?: Partial<Rules>;
  lanes?: number;
  step?: number | undefined;
  forge?: boolean;
}): World {
  const opened: Event = { kind: "queue-opened", at: 0, project: projectName("p") };
  const queue = stepQueue(undefined, opened, emptyOutput());
  assert(queue !== undefined, "the queue was opened");
  const base = ["base"];
  return {
    queue,
    rules: { ...PEACE, ...options.rules },
    policy: { ci, strategy: "rebase", lanes: options.lanes ?? 1, step: options.step },
    target: base,
    history: [commitOf(base)],
    now: 1,
    pending: [],
    checks: [],
    confirmed: [],
    asked: 0,
    green: new Set(),
    signals: [],
    told: [],
    heard: [],
    notices: [],
    released: new Set(),
    nextCheck: [],
    says: [],
    brokenBy: undefined,
    nextLanding: [],
    forge: options.forge ?? false,
    failNext: new Set(),
    durationOf: () => 1,
    folded: undefined,
  };
}

export const entry = (name: string, more: Partial<NewEntry> = {}): NewEntry => ({
  run: undefined,
  identity: undefined,
  branch: `b-${name}`,
  head: commitId(name),
  pr: undefined,
  issue: undefined,
  title: name,
  priority: 0,
  ...more,
});

export function send(world: World, event: Event): void {
  const output = emptyOutput();
  const next = stepQueue(world.queue, event, output);
  assert(next !== undefined, "a queue does not vanish");
  world.queue = next;
  for (const key of output.cancelled) {
    world.pending = world.pending.filter((row) => row.obligation.key !== key);
  }
  for (const obligation of output.effects) {
    assert(
      !world.pending.some((row) => row.obligation.key === obligation.key),
      `${obligation.key} is asked for twice`,
    );
    if (obligation.effect.kind.startsWith("check-") && !confirms(obligation.effect))
      world.asked += 1;
    const due = world.now + world.durationOf(obligation.effect);
    world.pending.push({ obligation, due });
  }
  for (const signal of output.signals) {
    world.signals.push(`${signal.kind} ${String(signal.detail["branch"])}`);
  }
  for (const { event: told } of output.tells) {
    if (told.kind.startsWith("target-")) world.heard.push(told.kind);
    if (told.kind === "entry-landed") world.told.push({ kind: told.kind, head: told.head });
    if (told.kind === "entry-returned") {
      world.told.push({ kind: told.kind, head: told.head, reason: told.reason.kind });
    }
  }
}

/** The second run of what was red. */
export const confirms = (effect: Effect): boolean =>
  effect.kind === "check-candidate" && effect.confirms;

export const add = (world: World, name: string, more: Partial<NewEntry> = {}): void =>
  send(world, { kind: "entry-requested", at: (world.now += 1), entry: entry(name, more) });

/** Someone else pushes. */
export function pushForeign(world: World, item: string): void {
  world.target = [...world.target, item];
  world.history.push(commitOf(world.target));
}

/** Carries out one effect: the first of a lane, chosen by the seed or by its due time. */
export function carryOutOne(world: World, prng?: Prng): boolean {
  const lanes = new Map<string, World["pending"][number]>();
  for (const row of world.pending) {
    if (!lanes.has(row.obligation.lane)) lanes.set(row.obligation.lane, row);
  }
  const heads = [...lanes.values()].toSorted((a, b) => a.due - b.due);
  const row = prng === undefined ? heads[0] : heads.length === 0 ? undefined : prng.pick(heads);
  if (row === undefined) return false;
  world.now = Math.max(world.now, row.due);
  // Its effect takes place first; the event settles it, and is dropped if it was cancelled.
  const event = outcomeOf(world, row.obligation);
  world.pending = world.pending.filter((other) => other !== row);
  if (event !== undefined) send(world, event);
  return true;
}

/** Until nothing is under way and no deadline is left. */
export function drain(world: World, prng?: Prng, stepsMax = 5_000): void {
  for (let steps = 0; steps < stepsMax; steps += 1) {
    if (carryOutOne(world, prng)) continue;
    const deadline = queueDeadline(world.queue);
    if (deadline === undefined) return;
    world.now = Math.max(world.now, deadline);
    send(world, { kind: "deadline-passed", at: world.now });
    if (world.queue.stop !== undefined) return;
  }
  throw new Error(`the queue did not come to rest within ${stepsMax} effects`);
}

export function outcomeOf(world: World, obligation: Obligation): Event | undefined {
  const { effect } = obligation;
  const at = (world.now += 1);
  if (world.failNext.delete(effect.kind)) {
    // The worst failure of a landing is one that happened all the same.
    if (effect.kind === "land") land(world, effect);
    const failed = { obligation, code: "broken", message: `${effect.kind} is broken` };
    return { kind: "effect-failed", at, failed };
  }
  switch (effect.kind) {
    case "survey-queue":
      return survey(world, effect, at);
    case "build-candidate":
      return build(world, effect, at);
    case "check-candidate": {
      const outcome = check(world, contentOf(world, effect.commit));
      // The second run of what was red is no test of something else.
      if (effect.confirms) world.confirmed.push(world.checks.pop() ?? "");
      return { kind: "candidate-checked", at, ref: effect.ref, outcome };
    }
    case "check-target": {
      const outcome = check(world, contentOf(world, effect.target));
      return { kind: "target-checked", at, ref: effect.ref, target: effect.target, outcome };
    }
    case "look-at-target": {
      const word = world.says[0] ?? { kind: "open", why: "nothing ran" };
      if (world.says.length > 1) world.says.shift();
      return { kind: "target-looked", at, ref: effect.ref, target: effect.target, word };
    }
    case "land":
      return { kind: "landing-finished", at, ref: effect.ref, outcome: land(world, effect) };
    case "release-candidates":
      for (const ref of effect.refs) world.released.add(ref);
      return undefined;
    case "notify":
      world.notices.push(effect.body);
      return undefined;
    default:
      return undefined;
  }
}

export function isRed(rules: Rules, content: string[]): boolean {
  return content.some(
    (item, index) =>
      rules.bad(item, content) || content.slice(0, index).some((other) => rules.clash(other, item)),
  );
}

const conflicts = (rules: Rules, content: string[], item: string): string[] =>
  content
    .filter((other) => rules.conflict(other, item) || rules.hidden(other, item))
    .map((other) => `${other}-${item}.txt`);

function survey(
  world: World,
  effect: Extract<Effect, { kind: "survey-queue" }>,
  at: number,
): Event {
  const { fresh, others } = effect;
  const target = targetOf(world);
  const found: { a: Commit; b: Commit; files: string[] }[] = [];
  const all = [...fresh, ...others];
  for (const head of all) {
    const files = conflicts({ ...world.rules, hidden: () => false }, world.target, head);
    if (files.length > 0 && !world.target.includes(head)) found.push({ a: target, b: head, files });
  }
  for (const [index, a] of fresh.entries()) {
    for (const b of all.slice(index + 1)) {
      if (world.rules.conflict(a, b)) found.push({ a, b, files: [`${a}-${b}.txt`] });
    }
  }
  const { policy } = world;
  return { kind: "conflicts-observed", at, ref: effect.ref, target, policy, conflicts: found };
}

function build(
  world: World,
  effect: Extract<Effect, { kind: "build-candidate" }>,
  at: number,
): Event {
  const { ref } = effect;
  let content = contentOf(world, effect.onto);
  const tips: Commit[] = [];
  const empty: { index: number; landed: boolean }[] = [];
  const changesPolicy: number[] = [];
  const resolved: { index: number; by: string; files: string[] }[] = [];
  const without = unresolved(world.rules);
  for (const [index, { head }] of effect.heads.entries()) {
    const item: string = head;
    if (content.includes(item)) empty.push({ index, landed: true });
    else if (item.startsWith("void")) empty.push({ index, landed: false });
    else {
      const files = conflicts(world.rules, content, item);
      const left = effect.resolve === undefined ? files : conflicts(without, content, item);
      if (left.length > 0) return conflicted(world, effect, { at, index, files });
      if (files.length > 0) resolved.push({ index, by: "tool", files });
      if (world.rules.changesPolicy(item)) changesPolicy.push(index);
      content = [...content, item];
    }
    tips.push(commitOf(content));
  }
  return { kind: "candidate-built", at, ref, tips, empty, changesPolicy, resolved };
}

/** The conflicts that are left after the resolver. */
const unresolved = (rules: Rules): Rules => ({
  ...rules,
  conflict: (a, b) => rules.conflict(a, b) && !rules.resolved(a, b),
  hidden: (a, b) => rules.hidden(a, b) && !rules.resolved(a, b),
});

function conflicted(
  world: World,
  { ref, heads, resolve }: Extract<Effect, { kind: "build-candidate" }>,
  { at, index, files }: { at: number; index: number; files: string[] },
): Event {
  const found = { kind: "candidate-conflicted", at, ref, index, files } as const;
  if (resolve === undefined) return found;
  const alone = conflicts(unresolved(world.rules), world.target, heads[index]?.head ?? "");
  const onTarget = alone.length > 0 ? { onTarget: true as const } : {};
  return { ...found, unresolved: "marks are left", ...onTarget };
}

function check(world: World, content: string[]): CheckOutcome {
  const tree = treeId(treeOf(content));
  world.checks.push(tree);
  const forced = world.nextCheck.shift();
  if (forced === "infra" || content.some((item) => item === world.brokenBy)) {
    return { kind: "infra", tree, message: "the disk is full", logTail: "" };
  }
  if (forced === "red") return failed(tree);
  const red = isRed(world.rules, content);
  if (!red) world.green.add(tree);
  if (red) return failed(tree);
  return { kind: "passed", tree, results: [], flaky: forced === "flaky", remembered: false };
}

export const failed = (tree: string): Extract<CheckOutcome, { kind: "failed" }> => ({
  kind: "failed",
  tree: treeId(tree),
  remembered: false,
  results: [
    {
      gate: "test",
      passed: false,
      exitCode: 1,
      signal: null,
      timedOut: false,
      durationMs: 1,
      logFile: "/log",
      logTail: "red",
    },
  ],
});

function land(world: World, effect: Extract<Effect, { kind: "land" }>): LandingOutcome {
  const { candidate, expected } = effect;
  // A commit on the target has landed, even if the user's checkout is in the way now.
  if (world.history.includes(candidate)) return { kind: "landed", commit: candidate };
  const forced = world.nextLanding.shift();
  if (forced !== undefined) return forced;
  const target = targetOf(world);
  if (target !== expected) return { kind: "target-moved", target };
  if (world.forge && (effect.prs ?? []).length > 1) return { kind: "one-by-one", why: "protected" };
  const content = contentOf(world, candidate);
  assert(world.green.has(treeOf(content)), `${candidate} lands although it was never green`);
  assert(!isRed(world.rules, content), `${candidate} lands although it is red`);
  assert(content.length === new Set(content).size, `${candidate} lands something twice`);
  world.history.push(candidate);
  world.folded?.set(candidate, [`t${world.history.length}`]);
  world.target = contentOf(world, candidate);
  return { kind: "landed", commit: candidate, ...(world.forge && { by: "forge" as const }) };
}

export const seeded = (seed: number): Prng => createPrng(seed);

/** An entry as it is once the survey has seen it. */
export function queued(name: string, more: Partial<Entry> = {}): Entry {
  const { after: _after, ...asked } = entry(name);
  return {
    ...asked,
    id: 1,
    after: [],
    requestedAt: 0,
    attempts: 1,
    surveyed: true,
    worked: false,
    changesPolicy: false,
    approved: undefined,
    notBefore: undefined,
    obstacle: undefined,
    solo: false,
    troubles: 0,
    holds: 0,
    leaving: undefined,
    ...more,
  };
}

/** The statuses as a person would read them: `a:merged`. */
export const standing = (world: World): string[] =>
  queueRows(world.queue, world.now).map((row) => `${row.branch.slice(2)}:${row.status}`);

/** Carries out effects until one of this kind is next in its lane, and leaves that one. */
export function runUntil(world: World, kind: Effect["kind"]): Obligation {
  for (let steps = 0; steps < 1_000; steps += 1) {
    const found = world.pending.find((row) => row.obligation.effect.kind === kind);
    if (found !== undefined) return found.obligation;
    assert(carryOutOne(world), `nothing leads to ${kind}`);
  }
  throw new Error(`no ${kind} within 1,000 effects`);
}

/** Carries out the next effect of this kind before all others. */
export function carryOutNext(world: World, kind: Effect["kind"]): void {
  const obligation = runUntil(world, kind);
  const event = outcomeOf(world, obligation);
  world.pending = world.pending.filter((row) => row.obligation !== obligation);
  if (event !== undefined) send(world, event);
}
