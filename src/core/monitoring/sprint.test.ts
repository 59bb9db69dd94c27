import { expect, test } from "vitest";
import { findStory, sprintEntries, storiesOf } from "./sprint.ts";

const TEXT = `generated: 2026-01-01
development_status:
  epic-5: in-progress
  5-30-later: backlog
  5-3-user-login: done # by hand
  5-4-logout: "review"
  6-1-other: done
  epic-5-retrospective: optional
`;

test("a story is found by id, prefix and key, and never by a part of a number", () => {
  const entries = sprintEntries(TEXT);
  for (const named of ["5.3", "5-3", "5-3-user-login"]) {
    expect(findStory(entries, named)).toEqual({ key: "5-3-user-login", status: "done" });
  }
  expect(findStory(entries, "5.1")).toBeUndefined();
});

test("an epic has its stories and neither itself nor its retrospective", () => {
  expect(storiesOf(sprintEntries(TEXT), "5").map(({ key }) => key)).toEqual([
    "5-30-later",
    "5-3-user-login",
    "5-4-logout",
  ]);
});
