import { expect, test } from "vitest";
import { HEAD, contextAt, testRun, testSession } from "../../../test/support/run.ts";
import { newHook, type WorkPhase } from "../session/hook.ts";
import { followHook, hookRecord, hookSet, resumeLine, toolUsed } from "./hook-record.ts";
import type { Event } from "../event.ts";
import type { Run } from "./run.ts";

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

const at = (workPhase: WorkPhase): Run => testRun({ hook: { ...newHook("x", 0), workPhase } });

const said: Parameters<typeof hookSet>[1] = {
  kind: "hook",
  workPhase: undefined,
  summary: undefined,
  files: [],
  tests: undefined,
  instructions: undefined,
};

const saved = (kind: "saved" | "unchanged"): Event => ({
  kind: "checkpoint-made",
  at: 7,
  outcome: { kind, commit: HEAD, skipped: [] },
});

test("the agent's own word is kept, told to others where it matters, and only once", () => {
  const context = contextAt(9);
  const run = hookSet(testRun(), { ...said, workPhase: "testing", summary: "y" }, context);
  expect(run.hook).toMatchObject({ workPhase: "testing", summary: "y", updatedAt: 9 });
  expect(context.output.signals).toMatchObject([
    { kind: "HOOK_UPDATED", detail: { work_phase: "testing", work_summary: "y" } },
  ]);
  const quiet = contextAt(10);
  expect(hookSet(run, { ...said, workPhase: "testing", summary: "y" }, quiet)).toBe(run);
  hookSet(run, { ...said, summary: "z" }, quiet);
  expect(quiet.output.signals).toEqual([]);
});

test("tools show the phase, the summary and the files", () => {
  const edit = { kind: "tool", tool: "Edit", summary: "src/a.ts", file: "src/a.ts" } as const;
  expect(toolUsed(testRun(), edit, contextAt()).hook).toMatchObject({
    workPhase: "implementation",
    summary: "src/a.ts",
    files: ["src/a.ts"],
  });
  const look = { kind: "tool", tool: "Read", summary: "", file: undefined } as const;
  const run = at("testing");
  expect(toolUsed(run, look, contextAt())).toBe(run);
});

test("new content in a checkpoint means that the agent is writing", () => {
  const first = followHook(testRun(), testRun(), { event: saved("saved"), context: contextAt(7) });
  expect(first.hook).toMatchObject({ workPhase: "investigation", checkpointAt: 7 });
  const same = followHook(first, first, { event: saved("unchanged"), context: contextAt(8) });
  expect(same.hook.workPhase).toBe("investigation");
  const next = followHook(first, first, { event: saved("saved"), context: contextAt(8) });
  expect(next.hook.workPhase).toBe("implementation");
});

test.each<[string, Partial<Run>, string]>([
  ["landed", { outcome: { kind: "landed", commit: HEAD } }, "merged"],
  ["blocked", { outcome: { kind: "blocked", reason: "r" } }, "blocked"],
  ["closed", { outcome: { kind: "closed", why: "w" } }, "closed"],
  ["handed off", { session: testSession({ verdict: "handed_off" }) }, "handed_off"],
  ["at work", {}, "active"],
])("the hook of a run that is %s says so", (_, change, status) => {
  const run = testRun(change);
  const event: Event = { kind: "deadline-passed", at: 1 };
  expect(followHook(run, run, { event, context: contextAt(1) }).hook.status).toBe(status);
});
