import { expect, test } from "vitest";
import { eachAlone } from "./each-alone.ts";

test("one that fails keeps no other from its turn, and the first error is thrown at the end", async () => {
  const done: number[] = [];
  const all = eachAlone([1, 2, 3, 4], async (one) => {
    if (one % 2 === 1) throw new Error(`${one} failed`);
    done.push(one);
  });
  await expect(all).rejects.toThrow("1 failed");
  expect(done).toEqual([2, 4]);
});
