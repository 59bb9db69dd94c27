import { expect, test } from "vitest";
import { readUsage } from "./turn-usage.ts";

test("tokens of the protocol are divided into parts that together are the total", () => {
  const usage = { totalTokens: 1300, inputTokens: 1000, outputTokens: 50, cachedReadTokens: 250 };
  const parts = { input: 1000, output: 50, cacheRead: 250, cacheWrite: 0 };
  expect(readUsage({ stopReason: "end_turn", usage })).toEqual({ parts });
  const contained = {
    totalTokens: 1050,
    inputTokens: 1000,
    outputTokens: 50,
    cachedReadTokens: 250,
  };
  expect(readUsage({ usage: contained })?.parts).toEqual({ ...parts, input: 750 });
});

test("tokens of a quota have the model that used most of them", () => {
  const count = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });
  const quota = {
    token_count: count(1200, 60),
    model_usage: [
      { model: "gemini-2.5-flash-lite", token_count: count(200, 10) },
      { model: "gemini-2.5-pro", token_count: count(1000, 50) },
    ],
  };
  const parts = { input: 1200, output: 60, cacheRead: 0, cacheWrite: 0 };
  expect(readUsage({ _meta: { quota } })).toEqual({ parts, model: "gemini-2.5-pro" });
  expect(readUsage({ _meta: { quota: { token_count: count(1, 2) } } })?.model).toBeUndefined();
});

test("an answer without usage tells nothing", () => {
  expect(readUsage({ stopReason: "end_turn" })).toBeUndefined();
  expect(readUsage({ _meta: { quota: { token_count: "many" } } })).toBeUndefined();
});
