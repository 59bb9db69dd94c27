import { expect, test } from "vitest";
import type { EntryView } from "../../api/queue.ts";
import { nextCommand, plainReason } from "./queue-words.ts";

test.each([
  [
    "red on top of a green target (test)",
    "test passes on the target and fails with this branch on it",
  ],
  [
    "it changes package.json: an operator must approve it",
    "it changes package.json: you must approve it",
  ],
  [
    'conflicts with the target in a, changed there by 12 "Docs" (entry 6, docs)',
    'conflicts with the target in a, changed there by 12 "Docs" (e6, docs)',
  ],
])("%s: in plain words", (reason, words) => {
  expect(plainReason(reason)).toBe(words);
});

test("Pawl is not said to look for conflicts where nothing is at work", () => {
  const reason = "Pawl is looking for conflicts with the other entries";
  expect(plainReason(reason)).toBe(reason);
  expect(plainReason(reason, { isAtWork: false })).toBe(
    "nothing works on the queue: no daemon runs",
  );
});

test("the command that helps is named: the logs of a failure, the approval of what waits for it", () => {
  const entry = { id: 10, branch: "pkg", status: "waiting" } as EntryView;
  const approve = "it changes package.json: an operator must approve it";
  expect(nextCommand({ ...entry, reason: approve })).toBe("pawl merge-queue approve e10");
  const back = { ...entry, status: "returned", reason: "red on top of a green target (test)" };
  expect(nextCommand(back)).toBe("pawl ci logs pkg");
  expect(nextCommand({ ...entry, reason: null })).toBeUndefined();
});
