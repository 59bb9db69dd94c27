import { expect, test } from "vitest";
import { Updates } from "./updates.ts";

test("a compaction is told when it is complete, and the context as far as its size is known", () => {
  const updates = new Updates();
  const compaction = (status: "in_progress" | "completed") =>
    updates.read({ sessionUpdate: "compaction_update", compactionId: "c", status });
  expect([compaction("in_progress"), compaction("completed")]).toEqual([[], [{ kind: "compact" }]]);
  expect(updates.read({ sessionUpdate: "usage_update", used: 50, size: 200 })).toEqual([
    { kind: "context", percent: 25 },
  ]);
  expect(updates.read({ sessionUpdate: "usage_update", used: 50, size: 0 })).toEqual([]);
});

test("money is taken over in dollars alone", () => {
  const updates = new Updates();
  const cost = (amount: number, currency: string) =>
    updates.read({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency } });
  cost(3, "EUR");
  expect(updates.usd).toBeUndefined();
  cost(2, "USD");
  expect(updates.usd).toBe(2);
});
