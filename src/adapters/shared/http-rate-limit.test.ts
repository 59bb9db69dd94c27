import { expect, test } from "vitest";
import { createRateLimit } from "./http-rate-limit.ts";

const HOUR_MS = 3_600_000;

test("a reset far in the future, from a clock that is wrong, closes an account for an hour at most", () => {
  let now = 1_000_000;
  const limit = createRateLimit(() => now);
  const far = String((now + 1000 * HOUR_MS) / 1000);
  const headers = new Headers({ "x-ratelimit-remaining": "1", "x-ratelimit-reset": far });
  limit.begin("Forge", "read");
  limit.end({ status: 200, headers, text: "" });
  limit.begin("Forge", "read");
  expect(() => limit.begin("Forge", "read")).toThrow("takes no more requests");
  now += HOUR_MS;
  expect(() => limit.begin("Forge", "read")).not.toThrow();
});
