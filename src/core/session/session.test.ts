import { expect, test } from "vitest";
import { testSession } from "../../../test/support/run.ts";
import { isLive, isStarted } from "./session.ts";

test("a life holds its identity from before its start until nothing of it runs", () => {
  const statuses = ["spawning", "live", "ending", "ended"] as const;
  expect(statuses.filter((status) => isLive(testSession({ status })))).toEqual([
    "spawning",
    "live",
    "ending",
  ]);
});

test("no session is no life", () => {
  expect(isLive(undefined)).toBe(false);
});

test("a life that waits for its process has not been started, whatever is decided about it", () => {
  for (const status of ["spawning", "ending"] as const) {
    expect(isStarted(testSession({ status, process: undefined }))).toBe(false);
  }
  expect(isStarted(testSession({ status: "live" }))).toBe(true);
  expect(isStarted(testSession({ status: "ended" }))).toBe(false);
});
