import { expect, test } from "vitest";
import { ThreadUsage } from "./thread-usage.ts";

const tokens = (input: number, cached: number, output: number) => ({
  totalTokens: input + output,
  inputTokens: input,
  cachedInputTokens: cached,
  outputTokens: output,
});

test("a life is told with its model and the parts of its tokens, which together are the total", () => {
  const usage = new ThreadUsage();
  usage.model = "gpt-6.1-sol";
  expect(usage.used(tokens(1000, 400, 50))).toEqual({
    kind: "usage",
    tokens: 1050,
    usd: undefined,
    model: "gpt-6.1-sol",
    parts: { input: 600, output: 50, cacheRead: 400, cacheWrite: 0 },
  });
});

test("what earlier lives used of the thread is taken off", () => {
  const usage = new ThreadUsage();
  usage.setBefore(tokens(1000, 400, 50));
  expect(usage.used(tokens(1500, 800, 70))).toEqual({
    kind: "usage",
    tokens: 520,
    usd: undefined,
    parts: { input: 100, output: 20, cacheRead: 400, cacheWrite: 0 },
  });
});
