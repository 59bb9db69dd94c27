import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { afterChecksStart, checkStarts } from "./check-first.ts";

/** Whether it has resolved, after everything that is due has run. */
function follow(promise: Promise<void>): () => boolean {
  let done = false;
  promise.then(
    () => (done = true),
    () => undefined,
  );
  return () => done;
}

test("other work waits until a check that begins in the same moment runs its first command", async () => {
  const isDone = follow(afterChecksStart());
  const started = checkStarts();
  const also = checkStarts();
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(isDone()).toBe(false);
  started();
  also();
  await expect.poll(isDone).toBe(true);
});

test("without a check that begins, other work waits for no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const isDone = follow(afterChecksStart());
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(isDone()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("a check that takes long to start holds up nothing for long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const started = checkStarts();
    const waiting = afterChecksStart();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 20_000 });
    vi.advanceTimersByTime(250);
    await waiting;
    started();
  } finally {
    vi.useRealTimers();
  }
});
