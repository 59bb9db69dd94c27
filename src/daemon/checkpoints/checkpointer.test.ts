import { expect, test } from "vitest";
import { commitId, runAggregate } from "../../core/ids.ts";
import type { CheckpointOutcome } from "../../core/session/checkpoint.ts";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { PROJECT, testRun, testSession } from "../../../test/support/run.ts";
import { Checkpointer } from "./checkpointer.ts";
import type { Input } from "../engine/loop.ts";
import { pathsOf } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const SAVED: CheckpointOutcome = { kind: "saved", commit: commitId("c1"), skipped: [] };

/** A checkpoint takes `tookMs`; files change when the test says so. */
function world(options: { tookMs?: number; outcome?: () => CheckpointOutcome } = {}) {
  const clock = new SimClock();
  const saves: { at: number; reason: string; quick: boolean }[] = [];
  const submitted: Input[] = [];
  const listeners: (() => void)[] = [];
  let open = 0;
  let most = 0;
  const git = {
    checkpoint: async ({ reason, quick = false }: { reason: string; quick?: boolean }) => {
      saves.push({ at: clock.monotonicMs(), reason, quick });
      open += 1;
      most = Math.max(most, open);
      await clock.sleep(options.tookMs ?? 10);
      open -= 1;
      return options.outcome?.() ?? SAVED;
    },
  };
  const watch = ({ onChange }: { onChange: () => void }) => {
    listeners.push(onChange);
    return { close: () => void listeners.splice(listeners.indexOf(onChange), 1) };
  };
  const ports = {
    clock,
    project: async () => ({ git, checkpoints: { watch } }),
  } as unknown as Ports;
  const loop = {
    submit: async (input: Input) => {
      submitted.push(input);
      return true;
    },
  };
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const checkpointer = new Checkpointer({ ports, paths: pathsOf("/h", "/r"), loop, onError });
  const pass = async (durationMs: number): Promise<void> => {
    const until = clock.monotonicMs() + durationMs;
    await settled();
    while (clock.advance(until)) await settled();
  };
  const write = (): void => listeners.forEach((listener) => listener());
  const live = (issue = 1) =>
    testRun({ id: `${issue}.1` as never, session: testSession({ status: "live", epoch: 1 }) });
  const times = (): number[] => saves.map(({ at }) => at);
  return { checkpointer, saves, times, submitted, errors, pass, write, live, most: () => most };
}

test("a session is saved when it is found, and every 2 s while its files change", async () => {
  const { checkpointer, times, submitted, pass, write, live } = world();
  checkpointer.start();
  checkpointer.sync(live());
  await pass(1_000);
  expect(times()).toEqual([200]);
  for (let second = 0; second < 60; second += 1) {
    write();
    await pass(100);
  }
  const gaps = times().map((at, index, all) => at - (all[index - 1] ?? 0));
  expect(gaps.slice(1).every((gap) => gap >= 2_000 && gap < 2_300)).toBe(true);
  expect(submitted.every(({ event }) => event.kind === "checkpoint-made")).toBe(true);
});

test("what a watch saw is saved quickly; a look for what it missed is not quick", async () => {
  const { checkpointer, saves, pass, write, live } = world();
  checkpointer.start();
  checkpointer.sync(live());
  await pass(1_000);
  write();
  await pass(3_000);
  await pass(120_000);
  expect(
    saves
      .slice(1)
      .map(({ reason, quick }) => `${reason} ${quick}`)
      .slice(0, 2),
  ).toEqual(["files changed true", "look false"]);
});

test("a tool call is followed by a checkpoint at once, within one twentieth of the time", async () => {
  const { checkpointer, saves, pass, live } = world({ tookMs: 100 });
  const run = live();
  checkpointer.start();
  checkpointer.sync(run);
  await pass(10_000);
  const id = runAggregate(PROJECT, run.id);
  checkpointer.nudge(id, "tool call");
  await pass(1);
  expect(saves.at(-1)).toMatchObject({ at: 10_000, reason: "tool call" });
  for (let count = 0; count < 30; count += 1) {
    checkpointer.nudge(id, "tool call");
    await pass(100);
  }
  // 100 ms each, so that the next begins 2 s after the last has ended.
  expect(saves.slice(2).map(({ at }) => at)).toEqual([12_100]);
});

test("an idle session is hardly looked at, and says nothing to the journal", async () => {
  const unchanged: CheckpointOutcome = { kind: "unchanged", commit: commitId("c1"), skipped: [] };
  const { checkpointer, times, submitted, pass, live } = world({ outcome: () => unchanged });
  checkpointer.start();
  checkpointer.sync(live());
  await pass(8 * 3_600_000);
  expect(times().length).toBeLessThan(20);
  expect(submitted).toEqual([]);
});

test("few at once, however many sessions there are", async () => {
  const { checkpointer, times, pass, live, most } = world({ tookMs: 500 });
  checkpointer.start();
  for (let issue = 1; issue <= 10; issue += 1) checkpointer.sync(live(issue));
  await pass(3_000);
  expect(times().length).toBe(10);
  expect(most()).toBe(2);
});

test("an agent that outlives the end of its session is saved for as long as it writes", async () => {
  const { checkpointer, times, pass, write, live } = world();
  checkpointer.start();
  checkpointer.sync(live());
  await pass(10_000);
  checkpointer.sync({ ...live(), session: testSession({ status: "ending", epoch: 1 }) });
  const before = times().length;
  write();
  await pass(10_000);
  expect(times().length).toBeGreaterThan(before);
});

test("a session that ends is saved no more, and a passing command saves nothing", async () => {
  const { checkpointer, times, pass, write, live } = world();
  const run = live();
  checkpointer.sync(run);
  await pass(10_000);
  expect(times()).toEqual([]);
  checkpointer.start();
  await pass(1_000);
  expect(times().length).toBe(1);
  checkpointer.sync({ ...run, session: testSession({ status: "ended", epoch: 1 }) });
  write();
  await pass(100_000);
  expect(times().length).toBe(1);
});

test("a checkpoint that fails is tried again and reported, and stops nothing else", async () => {
  let failing = true;
  const { checkpointer, times, errors, pass, live } = world({
    outcome: () => {
      if (failing) throw new Error("no room");
      return SAVED;
    },
  });
  checkpointer.start();
  checkpointer.sync(live());
  await pass(30_000);
  expect(errors.length).toBeGreaterThan(1);
  failing = false;
  const before = times().length;
  await pass(60_000);
  expect(times().length).toBeGreaterThan(before);
});
