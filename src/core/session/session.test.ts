import { expect, test } from "vitest";
import { testSession } from "../../../test/support/run.ts";
import { isLive } from "./session.ts";

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
