import { expect, test } from "vitest";
import { dayOf, isNothing, nextDay, NOTHING, overspent, plus, since } from "./budget.ts";

test.each<[string, Parameters<typeof overspent>, string | undefined]>([
  ["no budget", [undefined, { tokens: 9, usd: 9 }], undefined],
  ["an empty one", [{}, { tokens: 9, usd: 9 }], undefined],
  ["tokens below it", [{ tokens: 10 }, { tokens: 9, usd: 9 }], undefined],
  ["tokens at it", [{ tokens: 1000 }, { tokens: 1000, usd: 0 }], "spent 1,000 of 1,000 tokens"],
  [
    "money above it",
    [
      { tokens: 10, usd: 1 },
      { tokens: 9, usd: 1.5 },
    ],
    "spent $1.50 of $1.00",
  ],
  [
    "money that is estimated",
    [{ usd: 1 }, { tokens: 9, usd: 1.5, estimatedUsd: 1.5 }],
    "spent $1.50 of $1.00 (estimated from tokens)",
  ],
  [
    "money of which a part is estimated",
    [{ usd: 1 }, { tokens: 9, usd: 1.5, estimatedUsd: 0.5 }],
    "spent $1.50 of $1.00 ($0.50 of it estimated from tokens)",
  ],
  [
    "one raised by a person",
    [{ tokens: 100 }, { tokens: 150, usd: 0 }, { tokens: 110, usd: 0 }],
    undefined,
  ],
])("%s is reached as it says", (_, args, reason) => {
  expect(overspent(...args)).toBe(reason);
});

test("a report that says less than the one before adds nothing", () => {
  expect(since({ tokens: 10, usd: 2 }, { tokens: 4, usd: 3 })).toEqual({ tokens: 0, usd: 1 });
  expect(isNothing(since({ tokens: 10, usd: 2 }, { tokens: 10, usd: 2 }))).toBe(true);
  expect(plus(NOTHING, { usd: 1 })).toEqual({ tokens: 0, usd: 1 });
});

test("what is estimated is added up and told apart", () => {
  const first = { tokens: 5, usd: 1, estimatedUsd: 1 };
  const sum = plus({ tokens: 1, usd: 1 }, first);
  expect(sum).toEqual({ tokens: 6, usd: 2, estimatedUsd: 1 });
  expect(since(first, { tokens: 5, usd: 1.5, estimatedUsd: 1.5 })).toEqual({
    tokens: 0,
    usd: 0.5,
    estimatedUsd: 0.5,
  });
  expect(since(first, { tokens: 7, usd: 2 })).toEqual({ tokens: 2, usd: 1 });
});

test("days are UTC days", () => {
  const at = Date.parse("2026-11-15T23:59:59.999Z");
  expect([dayOf(at), nextDay(at)]).toEqual(["2026-11-15", at + 1]);
  expect(nextDay(at + 1)).toBe(at + 1 + 86_400_000);
});
