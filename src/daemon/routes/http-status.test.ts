import { expect, test } from "vitest";
import { httpStatus } from "./http-status.ts";

test.each([
  ["usage", 400],
  ["auth", 403],
  ["no-project", 404],
  ["no-checkpoints", 404],
  ["not-found", 404],
  ["run-over", 409],
  ["push-rejected", 422],
  ["no-tmux", 422],
  ["unexpected", 500],
  ["http-rate-limited", 502],
  ["remote-unreachable", 502],
  ["no-daemon", 503],
  ["store-full", 507],
])("%s is answered with %i", (code, status) => {
  expect(httpStatus(code)).toBe(status);
});
