import { expect, test } from "vitest";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { EntryView } from "../../api/queue.ts";
import { needsApproval, waitingText } from "../../core/merge-queue/explain.ts";
import { plainReason } from "../../api/queue-names.ts";
import type { Project } from "../../core/project/project.ts";
import { budgetWaits } from "../../daemon/views/budget-question.ts";
import { nextCommand, waitCommands, waitReason } from "./wait-words.ts";

test.each([
  [
    "red on top of a green target (test)",
    "test passes on the target and fails with this branch on it",
  ],
  [needsApproval(["package.json"]), "it changes package.json: you must approve it"],
  [
    'conflicts with the target in a, changed there by 12 "Docs" (entry 6, docs)',
    'conflicts with the target in a, changed there by 12 "Docs" (e6, docs)',
  ],
])("%s: in plain words", (reason, words) => {
  expect(plainReason(reason)).toBe(words);
});

test("Pawl is not said to look for conflicts where nothing is at work", () => {
  const reason = waitingText({} as Queue, { kind: "survey" });
  expect(plainReason(reason)).toBe(reason);
  expect(plainReason(reason, { isAtWork: false })).toBe("no daemon works on the queue");
});

test("the command that helps is named: the logs of a failure, the approval of what waits for it", () => {
  const entry = { id: 10, branch: "pkg", status: "waiting" } as EntryView;
  const approve = needsApproval(["package.json"]);
  expect(nextCommand({ ...entry, reason: approve })).toBe("pawl merge-queue approve e10");
  const back = { ...entry, status: "returned", reason: "red on top of a green target (test)" };
  expect(nextCommand(back)).toBe("pawl ci logs pkg");
  expect(nextCommand({ ...entry, reason: null })).toBeUndefined();
});

test("what an agent asks is shown as it asked", () => {
  const why = "Should I delete entry 5 of the price list?";
  expect(waitReason({ why, command: "pawl escalation answer 1" }, 0)).toBe(why);
  const held = { why: "behind entry 5", command: "pawl merge-queue approve e6" };
  expect(waitReason(held, 0)).toBe("behind e5");
});

test("how long a spent budget keeps agents from starting is told as a span, once it is named", () => {
  const closed = { reason: "day spent $3.59 of $3.00", until: Date.parse("2026-11-20T00:00:00Z") };
  const now = Date.parse("2026-11-19T18:31:00Z");
  const said = budgetWaits({ name: "toy", closed } as Project).map(
    (wait) => `${wait.about}: ${waitReason(wait, now)}`,
  );
  expect(said).toEqual([
    "budget: day spent $3.59 of $3.00; no agent starts for 5 h 29 min, unless you allow as much again or raise [budget] in pawl.toml",
  ]);
});

const RETRY = "pawl retry 5";

test.each([
  [
    "blocked: the issue has no fenced block that starts with ```sh",
    "pawl issue edit 5 --body-file FILE",
  ],
  ["blocked: the sh block of the issue failed (exit 2)", "pawl logs 5"],
  ["blocked: CI still fails after 3 fixes (test)", "pawl ci failures 5"],
  ["blocked: CI failed, and the issue has no block `sh on-ci-failure`", "pawl ci failures 5"],
])("%s: the cause comes before the retry", (why, first) => {
  const wait = { project: "toy", about: "#5", why, needs_you: true, command: RETRY };
  expect(waitCommands(wait)).toEqual([first, RETRY]);
});

test("what has no other cause to look at is settled by its own command, or by none", () => {
  const wait = { project: "toy", about: "#5", why: "which name?", needs_you: true };
  expect(waitCommands({ ...wait, command: RETRY })).toEqual([RETRY]);
  expect(waitCommands({ ...wait, command: null })).toEqual([]);
});

test.each([
  ["pawl/7-fix", ["pawl diff 7"]],
  ["pawl/7", ["pawl diff 7"]],
  ["pawl/gardener-7", []],
  ["feature/x", []],
])("what %s changes can be looked at before it is approved", (about, first) => {
  const command = "pawl merge-queue approve e1";
  const wait = { project: "toy", about, why: "it changes x", needs_you: true, command };
  expect(waitCommands(wait)).toEqual([...first, command]);
});
