import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { projectName, type AggregateId } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { ClockJumps } from "./clock-jumps.ts";
import type { Input } from "./loop.ts";

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
    committed.push(inputs.map(worded));
  };
  const loop = {
    submit: async (input: Input) => commit([input]).then(() => true),
    submitAll: commit,
  };
  const jumps = new ClockJumps({ store, clock, loop, onError: () => undefined });
  return { clock, jumps, committed };
}

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
