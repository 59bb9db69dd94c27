import { expect, test } from "vitest";
import { limitEnd, turnFailure } from "./stop-failure.ts";

const AT = Date.parse("2026-11-15T10:00:00.000Z");
const SAID = "API Error";

test.each([
  ["rate_limit", "limit"],
  ["overloaded", "retry"],
  ["server_error", "retry"],
  ["authentication_failed", "authentication"],
  ["oauth_org_not_allowed", "authentication"],
  ["account_on_hold", "authentication"],
  ["verification_required", "authentication"],
  ["cloud_credential_error", "authentication"],
  ["billing_error", "billing"],
  ["invalid_request", "ask"],
  ["model_not_found", "ask"],
  ["max_output_tokens", "ask"],
  ["unknown", "ask"],
  ["one that comes later", "ask"],
])("the error %s is a matter of: %s", (error, kind) => {
  expect(turnFailure({ error, last_assistant_message: SAID }, AT).kind).toBe(kind);
});

test("a 402, reported as unknown, is billing", () => {
  const failure = turnFailure({ error: "unknown", last_assistant_message: "API Error: 402 x" }, AT);
  expect(failure).toMatchObject({ kind: "billing", until: undefined });
});

test("trouble of the server is tried again after a while", () => {
  expect(turnFailure({ error: "server_error" }, AT).until).toBe(AT + 30_000);
});

test("the end of a limit is read off what is said", () => {
  expect(limitEnd("Claude AI usage limit reached|1794738600", AT)).toBe(1_794_738_600_000);
  expect(limitEnd("try again in 30 minutes", AT)).toBe(AT + 1_800_000);
  const evening = new Date(AT);
  evening.setHours(23, 30, 0, 0);
  expect(limitEnd("You've hit your limit · resets 11:30pm", AT)).toBe(evening.getTime());
  expect(limitEnd("Request rejected (429)", AT)).toBeUndefined();
});

test("a time of day that has passed is tomorrow's", () => {
  const early = limitEnd("resets 12am", AT);
  expect(early).toBeGreaterThan(AT);
  expect(early).toBeLessThanOrEqual(AT + 86_400_000);
});
