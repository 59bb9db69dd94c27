// Random queues in a model world: failures, combinations that are red only together, conflicts that
// the survey sees and such that it does not, targets that only a forge moves, foreign pushes, pauses, withdrawals, held landings,
// broken CI infrastructure, and effects that finish in any order. The world itself asserts at every landing
// that the target moves only to content that passed, and that nothing lands twice.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  add,
  carryOutOne,
  commitOf,
  contentOf,
  createWorld,
  drain,
  isRed,
  pushForeign,
  seeded,
  send,
  type Rules,
  type World,
} from "../../../test/support/queue-world.ts";
import { assert } from "../../lib/assert.ts";
import type { Prng } from "../../lib/prng.ts";
import { queueDeadline } from "./deadline.ts";

type Scenario = {
  seed: number;
  entries: number;
  lanes: number;
  step: number | undefined;
  bad: number;
  clash: number;
  conflict: number;
  hidden: number;
  foreign: number;
  trouble: number;
  held: number;
  withdraw: number;
  forge: boolean;
};

const often = (max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constant(0), fc.double({ min: 0, max, noNaN: true }));

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  entries: fc.integer({ min: 1, max: 30 }),
  lanes: fc.integer({ min: 1, max: 4 }),
  step: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  bad: often(0.5),
  clash: often(0.15),
  conflict: often(0.1),
  hidden: often(0.05),
  foreign: often(0.05),
  trouble: often(0.03),
  held: often(0.3),
  withdraw: often(0.05),
  forge: fc.boolean(),
});

/** Fixed by the seed and the two names, in any order of calls. */
function pairwise(seed: number, rate: number, salt: number): (a: string, b: string) => boolean {
  const known = new Map<string, boolean>();
  return (a, b) => {
    const key = [a, b].toSorted().join(" ");
    const found = known.get(key);
    if (found !== undefined) return found;
    const drawn = seeded(hash(`${key}${salt}`) ^ seed).next() < rate;
    known.set(key, drawn);
    return drawn;
  };
}

function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (Math.imul(value, 31) + letter.charCodeAt(0)) | 0;
  return value >>> 0;
}

const work = (item: string): boolean => item.startsWith("w");

function rulesOf(scenario: Scenario): Partial<Rules> {
  const { seed } = scenario;
  const both =
    (rate: number, salt: number) =>
    (a: string, b: string): boolean =>
      work(a) && work(b) && pairs(rate, salt)(a, b);
  const cache = new Map<number, (a: string, b: string) => boolean>();
  const pairs = (rate: number, salt: number): ((a: string, b: string) => boolean) => {
    const made = cache.get(salt) ?? pairwise(seed, rate, salt);
    cache.set(salt, made);
    return made;
  };
  const badness = pairwise(seed, scenario.bad, 1);
  return {
    // A foreign push `r1` breaks the target until `x1` fixes it.
    bad: (item, content) =>
      work(item)
        ? badness(item, item)
        : item.startsWith("r") && !content.includes(`x${item.slice(1)}`),
    clash: both(scenario.clash, 2),
    conflict: both(scenario.conflict, 3),
    hidden: both(scenario.hidden, 4),
  };
}

const brokenBy = (world: World): string | undefined =>
  world.target.find((item) => item.startsWith("r") && !world.target.includes(`x${item.slice(1)}`));

/** A foreign push: harmless, breaking the target, or fixing it. */
function foreignItem(world: World, prng: Prng): string {
  const broken = brokenBy(world);
  if (broken !== undefined) return `x${broken.slice(1)}`;
  return `${prng.chance(0.4) ? "r" : "f"}${world.history.length}`;
}

/** Everything that happens by chance, between two effects. */
function disturb(world: World, scenario: Scenario, prng: Prng): void {
  if (prng.chance(scenario.foreign)) pushForeign(world, foreignItem(world, prng));
  if (prng.chance(scenario.foreign)) send(world, { kind: "proof-wanted", at: world.now });
  if (prng.chance(scenario.foreign)) {
    const target = commitOf(world.target);
    send(world, { kind: "target-observed", at: world.now, target });
  }
  if (prng.chance(scenario.trouble)) world.nextCheck.push("infra");
  if (prng.chance(scenario.trouble)) {
    world.failNext.add(prng.pick(["survey-queue", "build-candidate", "land", "check-target"]));
  }
  if (world.nextLanding.length === 0 && prng.chance(scenario.held)) {
    const paths = prng.chance(0.5) ? ["edited.txt"] : [];
    world.nextLanding.push({ kind: "held", paths, why: "local edits" });
  }
  const entry = world.queue.entries.at(0);
  if (entry !== undefined && prng.chance(scenario.withdraw)) {
    send(world, { kind: "entry-withdrawn", at: world.now, branch: entry.branch, why: "changed" });
  }
}

function passDeadline(world: World): boolean {
  const deadline = queueDeadline(world.queue);
  if (deadline === undefined) return false;
  world.now = Math.max(world.now, deadline);
  send(world, { kind: "deadline-passed", at: world.now });
  return true;
}

function simulate(scenario: Scenario, check: (world: World) => void): World {
  const prng = seeded(scenario.seed);
  const world = createWorld({
    rules: rulesOf(scenario),
    lanes: scenario.lanes,
    step: scenario.step,
    forge: scenario.forge,
  });
  let left = scenario.entries;
  for (let turns = 0; turns < 3_000; turns += 1) {
    disturb(world, scenario, prng);
    if (left > 0 && prng.chance(0.3)) {
      left -= 1;
      add(world, `w${left}`, { priority: prng.int(3) });
      continue;
    }
    const moved = carryOutOne(world, prng) || passDeadline(world);
    check(world);
    if (!moved && left === 0) break;
  }
  // The faults stop, a person says go on, and everything comes to rest.
  Object.assign(scenario, { foreign: 0, trouble: 0, held: 0, withdraw: 0 });
  world.nextCheck = [];
  world.nextLanding = [];
  world.failNext.clear();
  const broken = brokenBy(world);
  if (broken !== undefined) pushForeign(world, `x${broken.slice(1)}`);
  send(world, { kind: "queue-resumed", at: world.now, by: "operator" });
  drain(world, prng);
  assert(world.queue.proofAsked === undefined, "the project is never told of the target");
  check(world);
  return world;
}

const runs = { numRuns: Number(process.env["QUEUE_RUNS"] ?? 100) };

/** Who was blamed by name, with the target it was blamed on. */
function innocents(): (world: World) => void {
  const seen = new Set<number>();
  return (world) => {
    for (const past of world.queue.past) {
      if (seen.has(past.id) || past.end.kind !== "returned") continue;
      seen.add(past.id);
      const base = contentOf(world, world.queue.target?.commit ?? commitOf([]));
      const { reason } = past.end;
      if (reason.kind === "held") continue;
      const own = [...base, past.head];
      const { conflict, hidden } = world.rules;
      const guilty =
        reason.kind === "tests"
          ? isRed(world.rules, own) && !isRed(world.rules, base)
          : base.some((item) => conflict(item, past.head) || hidden(item, past.head));
      expect(guilty, `${past.branch} was sent back for ${reason.kind} on ${base.join("+")}`).toBe(
        true,
      );
    }
  };
}

test("safety: the target moves only to what passed, and no entry is evicted for another's fault", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const world = simulate({ ...scenario }, innocents());
      expect(world.target.length).toBe(new Set(world.target).size);
    }),
    runs,
  );
});

test("liveness: once faults stop the queue drains, and every entry has landed or is accounted for", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const world = simulate({ ...scenario }, () => undefined);
      expect(world.queue.stop).toBeUndefined();
      expect(world.queue.entries.map((entry) => entry.branch)).toEqual([]);
      const merged = world.queue.past.filter((past) => past.end.kind === "merged");
      for (const past of merged) expect(world.target).toContain(past.head);
      const landed = new Set(merged.map((past) => past.head as string));
      const strangers = world.target.filter((item) => work(item) && !landed.has(item));
      expect(strangers).toEqual([]);
    }),
    runs,
  );
});

test("what is built is let go in the end", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const world = simulate({ ...scenario }, () => undefined);
      expect(world.pending).toEqual([]);
      expect(world.queue.stack).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

/** What is built for later stands where the suspect does, and is nowhere in the stack. */
function preparedWell({ queue }: World): void {
  const { stack, target, prepared } = queue;
  const later = prepared ?? queue.building;
  if (later?.without === undefined) return;
  expect(stack.at(-1)).toMatchObject({ entry: later.without, verdict: { kind: "red" } });
  expect(later.onto).toBe(stack.at(-2)?.commit ?? target?.commit);
  const ids = prepared === undefined ? (queue.building?.entries ?? []) : slotIds(prepared.slots);
  expect(slotIds(stack).filter((id) => ids.includes(id))).toEqual([]);
}

const slotIds = (slots: { entry: number }[]): number[] => slots.map(({ entry }) => entry);

test("what is prepared for after a suspect stands on what is below it", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const world = simulate({ ...scenario }, preparedWell);
      expect(world.queue.prepared).toBeUndefined();
    }),
    runs,
  );
});

test("no content is tested twice while nothing disturbs the queue", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      // What passed as one is tested again by itself where a forge merges one by one.
      const calm = { ...scenario, foreign: 0, trouble: 0, held: 0, withdraw: 0, forge: false };
      const world = simulate(calm, () => undefined);
      const twice = world.checks.filter((tree, index) => world.checks.indexOf(tree) !== index);
      expect(twice).toEqual([]);
    }),
    runs,
  );
});
