import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import { newHook } from "../session/hook.ts";
import { hookRecord, resumeLine } from "./hook-record.ts";

test("the record has every field that scripts read, under its published name", () => {
  expect(hookRecord(testRun())).toEqual({
    identity_name: "dev-42",
    current_bead: "42",
    current_node: null,
    work_phase: "investigation",
    work_summary: "Add a greeting",
    last_checkpoint_at: null,
    files_modified: [],
    tests_status: "unknown",
    resumption_instructions: "Resume from phase: investigation, last working on: Add a greeting",
    status: "active",
    session_id: "dev-42-1@toy",
    epoch: 1,
    branch: "pawl/42-add-a-greeting",
    phase: null,
    updated_at: "1970-01-01T00:00:00.000Z",
  });
});

test("the agent's own words come first, and a summary is one line", () => {
  const hook = { ...newHook("two\nlines", 0), checkpointAt: 5, instructions: "Run make first." };
  const run = testRun({ hook });
  expect(hookRecord(run)).toMatchObject({
    resumption_instructions: "Run make first.",
    last_checkpoint_at: "1970-01-01T00:00:00.005Z",
  });
  expect(resumeLine(run)).toBe("Resume from phase: investigation, last working on: two lines");
});
