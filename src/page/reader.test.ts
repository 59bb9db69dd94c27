import { expect, test, vi } from "vitest";
import { createReader } from "./reader.ts";

test("many changes during one reading ask for one more reading, and the last change is seen", async () => {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const readings = [first, Promise.resolve()];
  const read = vi.fn<() => Promise<void>>(() => readings.shift() ?? Promise.resolve());
  const changed = createReader(read, 0);
  for (let at = 0; at < 5; at += 1) changed();
  expect(read).toHaveBeenCalledTimes(1);
  resolve();
  await expect.poll(() => read.mock.calls.length).toBe(2);
});
