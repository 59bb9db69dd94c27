import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { PROJECT, testRun, testSession } from "../../../test/support/run.ts";
import { runAggregate } from "../../core/ids.ts";
import type { OutboxRow } from "../../ports/store.ts";
import { endAgents } from "./end-agents.ts";

const MINUTE_MS = 60_000;
const ENDING = testRun({
  stopped: { by: "ann", at: 0 },
  session: testSession({ status: "ending" }),
});
const GONE = testRun({ stopped: { by: "ann", at: 0 }, session: testSession({ status: "ended" }) });
const id = runAggregate(PROJECT, ENDING.id);

/** One agent that is being ended; `attempts`: how often that has failed. */
function world(attempts: number | undefined) {
  const clock = new SimClock();
  const marks = { run: ENDING.id, epoch: 1, tmuxSession: undefined, process: undefined };
  const row: OutboxRow = {
    seq: 1,
    key: "end",
    aggregate: id,
    lane: id,
    effect: { kind: "end-session", marks, graceMs: 1 },
    attempts: attempts ?? 0,
    notBefore: 0,
  };
  let rows = attempts === undefined ? [] : [row];
  let state = ENDING;
  const listeners: (() => void)[] = [];
  const end = (): void => {
    rows = [];
    state = GONE;
    for (const listener of listeners) listener();
  };
  const factory = {
    store: {
      aggregates: async () => [{ id, version: 1, state }],
      outbox: async () => rows,
    },
    ports: { clock },
    engine: {
      loop: { submit: async () => true },
      onCommitted: (listener: () => void) => {
        listeners.push(listener);
        return () => undefined;
      },
      outbox: { pending: () => rows },
    },
  };
  return { clock, end, ended: () => endAgents(factory, () => true) };
}

test("an agent whose work takes minutes to be saved is waited for", async () => {
  const { clock, end, ended } = world(0);
  clock.after(10 * MINUTE_MS, end);
  await expect(clock.until(ended())).resolves.toBeUndefined();
  expect(clock.monotonicMs()).toBe(10 * MINUTE_MS);
});

test.each([
  ["whose end has failed", 1],
  ["whose end is under way no more", undefined],
])("an agent %s is named after a minute", async (_how, attempts) => {
  const { clock, ended } = world(attempts);
  await expect(clock.until(ended())).rejects.toThrow("cannot end all agents within 60 s: dev-42");
});

test("an end that never comes is not waited for without limit", async () => {
  const { clock, ended } = world(0);
  await expect(clock.until(ended())).rejects.toThrow("within 900 s: dev-42");
});
