import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import type { IssueFacts } from "./backlog.ts";
import type { Project } from "./project.ts";
import { standstill, withWaits } from "./standstill.ts";

const issue = (number: number, unmet: number[] = []): IssueFacts => ({
  number,
  title: `issue ${number}`,
  labels: ["backlog"],
  createdAt: 0,
  unmet,
});

const project = (change: Partial<Project>): Project =>
  ({ kind: "project", config: testConfig(), backlog: [], active: [], ...change }) as Project;

test("a project that nothing keeps from work has no standstill", () => {
  expect(standstill(project({}))).toBeUndefined();
});

test("a pause is named before a limit of the account", () => {
  const accounts = { [testConfig().agent.runtime]: { until: 60_000, reason: "429" } };
  expect(standstill(project({ accounts }))).toBe(
    "the account's limit, until 1970-01-01T00:01:00.000Z (429)",
  );
  const paused = { why: "you asked for it", by: "ann", at: 1 };
  expect(standstill(project({ paused, accounts }))).toBe("you asked for it");
});

test("an issue waits for what its last agent named, as long as that is open", () => {
  const own = project({ backlog: [issue(1), issue(2)], waits: { "1": [2, 3] } });
  expect(withWaits(own, issue(1, [4])).unmet).toEqual([4, 2]);
  expect(withWaits(own, issue(2)).unmet).toEqual([]);
});
