import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("requests during a round lead to one more, and never to two at once", async () => {
  let open = 0;
  let most = 0;
  let rounds = 0;
  const look = oneAtATime(async () => {
    open += 1;
    most = Math.max(most, open);
    rounds += 1;
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
  });
  await Promise.all(Array.from({ length: 50 }, () => look()));
  expect({ most, rounds }).toEqual({ most: 1, rounds: 2 });
  await look();
  expect(rounds).toBe(3);
});

test("work that asks for itself does not multiply", async () => {
  let left = 100;
  let rounds = 0;
  const look: () => Promise<void> = oneAtATime(async () => {
    rounds += 1;
    for (let count = 0; count < 3 && left > 0; count += 1) {
      left -= 1;
      look().catch(() => undefined);
      await Promise.resolve();
    }
  });
  await look();
  while (left > 0) await look();
  expect(rounds).toBeLessThan(40);
});

test("a round that fails rejects for its caller, and does not stop the next", async () => {
  let rounds = 0;
  const look = oneAtATime(async () => {
    rounds += 1;
    if (rounds === 1) throw new Error("no");
  });
  const both = await Promise.allSettled([look(), look()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
