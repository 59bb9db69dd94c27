import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { PROJECT, testRun } from "../../../test/support/run.ts";
import { runAggregate } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { Store } from "../../ports/store.ts";
import { pathsOf } from "../host/paths.ts";
import { createPublish } from "./publish.ts";

const MINUTE_MS = 60_000;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function world(run: Run) {
  const clock = new SimClock();
  const state = { run };
  const copies = new Map<string, string>();
  const errors: unknown[] = [];
  const disk = { isFull: false };
  const id = runAggregate(PROJECT, run.id);
  const publish = createPublish({
    clock,
    paths: pathsOf("/home", "/run"),
    store: { load: async () => ({ id, version: 1, state: state.run }) } as unknown as Store,
    publisher: {
      publish: async (path, content) => {
        if (disk.isFull) throw new Error("the disk is full");
        copies.set(path, content);
      },
    },
    onError: (error) => errors.push(error),
  });
  const change = async (next: Run): Promise<void> => {
    state.run = next;
    publish.changed([{ id, state: next }]);
    await settled();
  };
  const pass = async (durationMs: number): Promise<void> => {
    const until = clock.monotonicMs() + durationMs;
    while (clock.advance(until)) await settled();
  };
  const hook = (): string | undefined =>
    [...copies].find(([path]) => path.includes("/hooks/"))?.[1];
  return { change, pass, hook, disk, errors };
}

test("a copy that could not be written is tried again until it can, as the journal is then", async () => {
  const run = testRun({});
  const { change, pass, hook, disk, errors } = world(run);
  await change(run);
  const first = hook();
  expect(first).toContain('"branch"');
  disk.isFull = true;
  const later = (summary: string): Run => ({ ...run, hook: { ...run.hook, summary } });
  await change(later("second"));
  await change(later("third"));
  await pass(10 * MINUTE_MS);
  expect(hook()).toBe(first);
  // One try each, and then one every two minutes for both.
  expect(errors).toHaveLength(2 + 5);
  disk.isFull = false;
  await pass(2 * MINUTE_MS);
  expect(hook()).toContain("third");
  await pass(60 * MINUTE_MS);
  expect(errors).toHaveLength(7);
});

test("an earlier run of an identity does not write over the copy of a later one", async () => {
  const [early, late] = [1, 2].map((epoch) => {
    const run = testRun({ epoch });
    return { ...run, hook: { ...run.hook, summary: `epoch ${epoch}` } };
  });
  if (early === undefined || late === undefined) throw new Error("no runs");
  const { change, hook } = world(late);
  await change(late);
  await change(early);
  expect(hook()).toContain("epoch 2");
});
