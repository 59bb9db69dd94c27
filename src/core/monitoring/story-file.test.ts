import { expect, test } from "vitest";
import { blockingFindings, missingSections, storyStatus } from "./story-file.ts";

const STORY = `# Story 5.3: Login

Status: ready-for-dev

## Story
As a user I log in.

## Acceptance Criteria
1. It works.

## Tasks / Subtasks
- [ ] Write it
`;

test("a story with all sections misses none", () => {
  expect(missingSections(STORY)).toEqual([]);
});

test("an empty file misses all, and a heading without text counts as missing", () => {
  expect(missingSections("")).toEqual(["Story", "Acceptance Criteria", "Tasks"]);
  expect(missingSections(STORY.replace("1. It works.", ""))).toEqual(["Acceptance Criteria"]);
});

test("the status is read from a line or from frontmatter, however it is written", () => {
  expect(storyStatus(STORY)).toBe("ready-for-dev");
  expect(storyStatus("---\nstatus: 'In Progress'\n---\n")).toBe("in-progress");
  expect(storyStatus("**Status:** done")).toBe("done");
  expect(storyStatus("nothing")).toBeUndefined();
});

test("only open findings of a blocking severity block", () => {
  const review = `- [ ] [AI-Review][HIGH] SQL injection
- [x] [AI-Review][Critical] fixed
- [ ] [AI-Review][Low] a name
- [ ] Critical: no test`;
  expect(blockingFindings(review)).toEqual([
    "- [ ] [AI-Review][HIGH] SQL injection",
    "- [ ] Critical: no test",
  ]);
});
