import { expect, test } from "vitest";
import { endedTurn, failedTurn } from "./turn-end.ts";

const AT = 1_000_000;
const failed = (message: string, data?: object) => failedTurn({ message, data }, AT);

test.each([
  ["429 Too Many Requests: retry in 41.5s", undefined, { kind: "limited", until: AT + 41_500 }],
  ["You have exhausted your quota", undefined, { kind: "limited", until: undefined }],
  ["Usage limit: reset after 2h5m", undefined, { kind: "limited", until: AT + 7_500_000 }],
  ["no", { errorKind: "rate_limit" }, { kind: "limited", until: undefined }],
  ["503 Service Unavailable", undefined, { kind: "limited", until: AT + 30_000 }],
  ["no", { errorKind: "overloaded" }, { kind: "limited", until: AT + 30_000 }],
  ["TypeError: fetch failed", undefined, { kind: "limited", until: AT + 30_000 }],
  ["API Error: Connection error.", undefined, { kind: "limited", until: AT + 30_000 }],
  ["no", { details: "getaddrinfo EAI_AGAIN api.x.com" }, { kind: "limited", until: AT + 30_000 }],
  // An account without money answers with the words of a limit.
  ["429: your credit balance is too low", undefined, { kind: "failed" }],
  ["429 You exceeded your current quota: insufficient_quota", undefined, { kind: "failed" }],
  [
    "429 You exceeded your current quota, please check your plan and billing details",
    undefined,
    { kind: "failed" },
  ],
  // Words of an account in a limit that says when it ends, as OpenAI and Gemini have them.
  [
    "Rate limit reached for gpt-5: Limit 30000, Used 402. Please try again in 358ms. You can increase it by adding a payment method at https://platform.openai.com/account/billing.",
    undefined,
    { kind: "limited", until: AT + 358 },
  ],
  [
    "You exceeded your current quota, please check your plan and billing details. Please retry in 32.5s.",
    undefined,
    { kind: "limited", until: AT + 32_500 },
  ],
  ["Rate limit reached; see .../account/billing", undefined, { kind: "limited" }],
  ["403: this API requires a quota project", undefined, { kind: "failed" }],
  ["401 Unauthorized", undefined, { kind: "failed" }],
  ["no", { errorKind: "model_not_found" }, { kind: "failed" }],
  ["a word that is not known", undefined, { kind: "failed" }],
])("a turn that failed with %j (%j) is %j", (message, data, expected) => {
  expect(failed(message, data)).toMatchObject(expected);
});

test("a turn that the protocol calls ended has failed where the agent says so in words", () => {
  const failureText = "Error: Failed to get response.*";
  const ended = (text: string, stopReason = "end_turn") =>
    endedTurn({ stopReason }, { text, failureText }, AT).kind;
  expect(ended("all done")).toBe("ended");
  expect(ended("x\nError: Failed to get response from the AI model; 429 rate limit")).toBe(
    "limited",
  );
  expect(ended("", "cancelled")).toBe("interrupted");
  expect(ended("", "refusal")).toBe("failed");
});
