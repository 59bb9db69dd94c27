import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { projectName, type AggregateId } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Clock } from "../../ports/clock.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { ClockJumps } from "./clock-jumps.ts";
import type { Input, JournalLoop } from "./loop.ts";

const HOUR_MS = 3_600_000;

/** `full`: so many writes fail because the disk is full. */
async function createWorld({ full = 0 } = {}) {
  const clock = new SimClock();
  const store = createMemoryStore();
  const ids: AggregateId[] = ["queue:a", "queue:b"];
  const state = { kind: "queue", project: projectName("toy") } as unknown as AggregateState;
  for (const id of ids) await store.transaction((tx) => tx.save(id, state, undefined));
  const committed: string[][] = [];
  let refusals = full;
  const commit = async (inputs: readonly Input[]): Promise<void> => {
    refusals -= 1;
    if (refusals >= 0) throw new OperationError("the disk is full", { code: "store-full" });
    if (inputs.length > 0) committed.push(inputs.map(worded));
  };
  const loop: JournalLoop = {
    submit: async (input) => commit([input]).then(() => true),
    submitAll: commit,
    submitWith: async (inputs, also) => {
      await commit(inputs);
      await store.transaction(also);
    },
  };
  const start = (boot = clock.boot) =>
    new ClockJumps({ store, clock: inBoot(clock, boot), loop, onError: () => undefined });
  return { clock, start, jumps: start(), committed };
}

const inBoot = (clock: SimClock, boot: string): Clock => ({
  boot,
  now: () => clock.now(),
  monotonicMs: () => clock.monotonicMs(),
  after: (delayMs, call) => clock.after(delayMs, call),
});

const worded = ({ to, event }: Input): string =>
  `${to} ${"gapMs" in event ? event.gapMs : event.kind}`;

const begun = (clock: SimClock): Input => ({
  to: "queue:c",
  event: { kind: "daemon-started", at: clock.now() },
});

test("a wait that begins after the jump is not moved by it: the others are moved before", async () => {
  const { clock, jumps, committed } = await createWorld();
  clock.jump(HOUR_MS);
  await Promise.all([jumps.loop.submit(begun(clock)), jumps.loop.submitAll([begun(clock)])]);
  expect(committed).toEqual([
    ["queue:a 3600000", "queue:b 3600000"],
    ["queue:c daemon-started"],
    ["queue:c daemon-started"],
  ]);
});

test("a full disk loses no gap, and a second jump adds to it", async () => {
  const { clock, jumps, committed } = await createWorld({ full: 1 });
  clock.jump(HOUR_MS);
  await expect(jumps.loop.submit(begun(clock))).rejects.toThrow("the disk is full");
  clock.jump(HOUR_MS);
  await jumps.settle();
  expect(committed).toEqual([["queue:a 7200000", "queue:b 7200000"]]);
  expect(jumps.settle()).toBeUndefined();
});

test("a jump while no daemon ran is noticed by the next one, once", async () => {
  const { clock, start, jumps, committed } = await createWorld();
  await jumps.settle();
  clock.jump(HOUR_MS);
  await start().settle();
  await start().settle();
  expect(committed).toEqual([["queue:a 3600000", "queue:b 3600000"]]);
});

test("a jump right after the start of a daemon counts once, also after one while none ran", async () => {
  const { clock, start, jumps, committed } = await createWorld();
  await jumps.settle();
  clock.jump(HOUR_MS);
  const next = start();
  clock.jump(HOUR_MS);
  await next.settle();
  expect(committed).toEqual([["queue:a 7200000", "queue:b 7200000"]]);
});

test("a machine that was started again, or that names no start, did not sleep", async () => {
  const { clock, start, jumps, committed } = await createWorld();
  await jumps.settle();
  clock.jump(HOUR_MS);
  await start("another").settle();
  clock.jump(HOUR_MS);
  await start("").settle();
  clock.jump(HOUR_MS);
  await start("").settle();
  expect(committed).toEqual([]);
});

test("a clock that is set back moves nothing; what it goes ahead from there does", async () => {
  const { clock, start, jumps, committed } = await createWorld();
  await jumps.settle();
  clock.jump(-2 * HOUR_MS);
  await jumps.settle();
  expect(committed).toEqual([]);
  clock.jump(HOUR_MS);
  await start().settle();
  expect(committed).toEqual([["queue:a 3600000", "queue:b 3600000"]]);
});
