import { expect, test } from "vitest";
import { contextAt, HEAD, testRun, testSession } from "../../../test/support/run.ts";
import { commitId } from "../ids.ts";
import { clearAway, land } from "./clear.ts";
import type { Run } from "./run.ts";
import { stepRun } from "./step-run.ts";
import { workspaceKept } from "./unsaved-work.ts";

const MERGED = commitId("merged");

test("a workspace that holds what cannot be saved stays, and a person is told which paths", () => {
  const context = contextAt();
  const session = testSession({ status: "ended", verdict: "completed" });
  const landed = land(testRun({ head: HEAD, pr: 7 }), MERGED, contextAt());
  const gone = clearAway({ ...landed, session }, contextAt());
  const kept = workspaceKept(gone, ["huge.bin"], context);
  expect(kept.stage).toMatchObject({ clearing: { workspaceGone: true } });
  expect(kept.warnings.at(-1)?.text).toContain("cannot be saved: huge.bin.");
  expect(context.output.effects).toMatchObject([
    { effect: { kind: "notify", severity: "urgent", body: kept.warnings.at(-1)?.text } },
  ]);
});

test("paths that a checkpoint does not hold are a warning, once for the same paths", () => {
  const save = (run: Run | undefined, skipped: string[]): Run | undefined => {
    const outcome = { kind: "saved", commit: MERGED, skipped } as const;
    const { output } = contextAt();
    return stepRun(run, { kind: "checkpoint-made", at: 1, outcome }, output);
  };
  const once = save(testRun(), ["pipe"]);
  const twice = save(once, ["pipe"]);
  expect(twice?.warnings.map(({ text }) => text)).toEqual([expect.stringContaining("pipe")]);
  expect(save(save(twice, []), ["pipe"])?.warnings).toHaveLength(2);
});
