import { expect, test } from "vitest";
import { BASE, contextAt, requested, wants } from "../../../test/support/run.ts";
import { commitId } from "../ids.ts";
import type { Issue } from "../issue.ts";
import { claimed, prepareAgain, prepared, requestRun, unready } from "./request.ts";

const ISSUE: Issue = {
  number: 42,
  title: "Add a greeting",
  body: "Say hello.",
  state: "open",
  labels: ["in-progress", "priority"],
  author: "ada",
  createdAt: 0,
  updatedAt: 0,
  url: undefined,
};

const claim = { kind: "issue-claimed", at: 0, issue: ISSUE } as const;
const made = { kind: "workspace-prepared", at: 0, base: BASE, head: BASE, found: false } as const;

test("the issue is claimed before anything else is done", () => {
  const run = requestRun({ ...requested(), lastEpoch: 4 });
  expect([run.stage.kind, run.identity, run.epoch]).toEqual(["claiming", "dev-42", 4]);
  expect(wants(undefined, run).effects).toEqual([
    {
      key: "run:toy/42.1:claim",
      lane: "run:toy/42.1:forge",
      effect: { kind: "claim-issue", issue: 42, claim: "run:toy/42.1" },
    },
  ]);
});

test("a claimed issue is taken in as it is now, and its workspace is made", () => {
  const before = requestRun(requested());
  const run = claimed(before, claim);
  expect(run.work).toMatchObject({ body: "Say hello.", labels: ["in-progress", "priority"] });
  expect(wants(before, run).effects).toMatchObject([
    { key: "run:toy/42.1:prepare", effect: { kind: "prepare-workspace", branch: run.branch } },
  ]);
});

test("a claim or a workspace that is not awaited changes nothing", () => {
  const run = requestRun(requested());
  expect(prepared(run, made, contextAt())).toBe(run);
  const preparing = claimed(run, claim);
  expect(claimed(preparing, claim)).toBe(preparing);
});

test("a complete workspace means work can begin", () => {
  const preparing = claimed(requestRun(requested()), claim);
  expect(prepared(preparing, made, contextAt())).toMatchObject({
    base: BASE,
    stage: { kind: "working" },
  });
});

test("an open PR of an earlier run is resumed on its branch, but not after a refusal", () => {
  const goesOn = { pr: 12, branch: "pawl/42-older-title" };
  const earlier = { number: 12, title: "t", state: "open" as const, said: [] };
  const before = requestRun(requested());
  const run = claimed(before, { ...claim, goesOn, earlier });
  expect(run).toMatchObject({ ...goesOn, work: { earlier } });
  expect(wants(before, run).effects).toMatchObject([
    { effect: { branch: goesOn.branch, upstream: true } },
  ]);
  const again = requestRun({ ...requested(), refusedFor: [] });
  const fresh = claimed(again, { ...claim, goesOn });
  expect(fresh).toMatchObject({ pr: undefined });
  const [made] = wants(again, fresh).effects;
  expect(made?.effect).toMatchObject({ fresh: true });
  expect(made?.effect).not.toHaveProperty("upstream");
});

test("work of an earlier attempt is known to be there", () => {
  const preparing = claimed(requestRun(requested()), claim);
  expect(prepared(preparing, made, contextAt())).not.toHaveProperty("begun");
  for (const more of [{ head: commitId("c") }, { found: true }]) {
    const run = prepared(preparing, { ...made, ...more }, contextAt());
    expect(run).toMatchObject({ begun: true });
  }
});

test("a set-up that fails is told to the project, which has it tried again with its new settings", () => {
  const preparing = claimed(requestRun(requested()), claim);
  const failure = { why: "`npn ci`: exit code 127", logTail: "npn: not found" };
  const failed = contextAt();
  const waits = unready(preparing, { kind: "workspace-unready", at: 1, failure }, failed);
  expect(failed.output.tells).toMatchObject([{ event: { kind: "set-up-failed", failure } }]);
  expect([waits.stage.kind, wants(preparing, waits).effects]).toEqual(["preparing", []]);
  const config = { ...waits.config, parallel: 7 };
  const tried = prepareAgain(waits, { kind: "set-up-wanted", at: 2, config });
  expect(wants(waits, tried).effects).toMatchObject([{ effect: { kind: "prepare-workspace" } }]);
  expect(tried.config.parallel).toBe(7);
  expect(prepareAgain(tried, { kind: "set-up-wanted", at: 2, config })).toBe(tried);
  const passed = contextAt();
  const run = prepared(tried, { ...made, found: true }, passed);
  expect(run.stage.kind).toBe("working");
  expect(run).not.toHaveProperty("begun");
  expect(passed.output.tells).toMatchObject([{ event: { kind: "set-up-passed" } }]);
});
