import { expect, test } from "vitest";
import { kinds, stepped, testRun } from "../../../test/support/run.ts";
import type { Event } from "../event.ts";

const failed = (reason: string, result?: object): Event => ({
  kind: "phase-observed",
  at: 0,
  epoch: 1,
  stamp: "s1",
  text: `PHASE:failed\nReason: ${reason}\n`,
  ...(result === undefined ? {} : { result: { kind: "text", text: JSON.stringify(result) } }),
});

test("an issue that is too large goes back to be described better", () => {
  const { run, output } = stepped(
    testRun(),
    failed("refused", { kind: "too_large", reason: "3 features" }),
  );
  expect(run.outcome).toEqual({ kind: "refused", why: "too large: 3 features", blockedBy: [] });
  expect(output.effects[0]?.effect).toMatchObject({
    kind: "settle-issue",
    close: false,
    addLabels: ["underspecified"],
    removeLabels: ["backlog", "in-progress"],
    comment: expect.stringContaining("3 features"),
  });
  expect(kinds(output)).not.toContain("notify");
});

test("an issue that waits for another is put back, and the project hears for which", () => {
  const { run, output } = stepped(testRun(), failed("unmet_dependency: #7"));
  expect(output.effects[0]?.effect).toMatchObject({ addLabels: ["backlog"], close: false });
  expect(run.outcome).toMatchObject({ kind: "refused", blockedBy: [7] });
});

test("an issue that is done already is closed, and its PR with it", () => {
  const { output } = stepped(testRun({ pr: 9 }), failed("already_done"));
  expect(output.effects[0]?.effect).toMatchObject({
    close: true,
    pr: { number: 9, mergedAs: undefined },
  });
});

test("an agent that only says that it refuses has failed", () => {
  expect(stepped(testRun(), failed("refused")).run.outcome?.kind).toBe("blocked");
});

test("an issue never waits for itself", () => {
  const both = stepped(testRun(), failed("unmet_dependency: #42, #7")).run;
  expect(both.outcome).toMatchObject({ kind: "refused", blockedBy: [7] });
  expect(stepped(testRun(), failed("unmet_dependency: #42")).run.outcome?.kind).toBe("blocked");
});

test("what it was put back for before is no reason a second time", () => {
  const run = testRun({ refusedFor: [7] });
  const again = stepped(run, failed("unmet_dependency: #7")).run;
  expect(again.outcome).toEqual({ kind: "blocked", reason: "refused again: waits for #7" });
  expect(stepped(run, failed("unmet_dependency: #7 #8")).run.outcome).toMatchObject({
    blockedBy: [8],
  });
});
