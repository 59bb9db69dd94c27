import { expect, test } from "vitest";
import type { ErrorReason } from "./protocol.ts";
import { turnEnd } from "./turn-end.ts";

const NOTHING = { limits: undefined, now: 1_000_000 };

const failed = (codexErrorInfo: ErrorReason) => ({
  id: "t",
  status: "failed" as const,
  items: [],
  error: { message: "words of Codex", codexErrorInfo },
});

test.each<[string, ErrorReason, "limited" | "failed"]>([
  ["a usage limit", "usageLimitExceeded", "limited"],
  [
    "a 429 after its own retries",
    { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
    "limited",
  ],
  ["a service that fails", "internalServerError", "limited"],
  ["a network that is gone", { httpConnectionFailed: { httpStatusCode: null } }, "limited"],
  ["a refused key", { httpConnectionFailed: { httpStatusCode: 401 } }, "failed"],
  ["an unknown model", "modelNotFound", "failed"],
  ["a kind that is not known", "other", "failed"],
])("%s passes by itself or needs a person", (_, reason, kind) => {
  expect(turnEnd(failed(reason), NOTHING)).toMatchObject({ kind, reason: "words of Codex" });
});

test("a request that was not answered passes by itself where Codex gives no kind of error", () => {
  const end = (message: string, codexErrorInfo: ErrorReason) =>
    turnEnd({ ...failed(null), error: { message, codexErrorInfo } }, NOTHING).kind;
  expect(end("request timed out", "other")).toBe("limited");
  expect(end("request timed out", null)).toBe("limited");
  expect(end("the tool timed out", "badRequest")).toBe("failed");
});

test("a limit lasts until the last of the windows that are used up opens", () => {
  const limits = {
    primary: { usedPercent: 100, resetsAt: 1_800_000_000 },
    secondary: { usedPercent: 40, resetsAt: 1_900_000_000 },
  };
  expect(turnEnd(failed("usageLimitExceeded"), { limits, now: 0 })).toMatchObject({
    until: 1_800_000_000_000,
  });
});

test("trouble of the service is tried again soon, whatever the account's limits are", () => {
  expect(turnEnd(failed("internalServerError"), NOTHING)).toMatchObject({ until: 1_030_000 });
  expect(turnEnd(failed("rateLimitExceeded"), NOTHING)).toMatchObject({ until: undefined });
});

test("an interrupted turn and a completed one are told apart", () => {
  const turn = { id: "t", items: [], error: null };
  expect(turnEnd({ ...turn, status: "interrupted" }, NOTHING)).toEqual({ kind: "interrupted" });
  expect(turnEnd({ ...turn, status: "completed" }, NOTHING)).toEqual({ kind: "ended" });
});
