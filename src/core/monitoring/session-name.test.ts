import { expect, test } from "vitest";
import { isSessionName, projectSlug, sessionName } from "./session-name.ts";

const PARTS = { slug: "shop", stamp: "251102-101500", step: "review", epic: "5", story: "5.3" };

test("a name says project, time, epic, story, step and cycle", () => {
  expect(sessionName({ ...PARTS, cycle: undefined })).toBe("sa-shop-251102-101500-e5-s5-3-review");
  expect(sessionName({ ...PARTS, cycle: "2" })).toBe("sa-shop-251102-101500-e5-s5-3-review-r2");
});

test("a slug is at most eight plain characters, and never empty", () => {
  expect(projectSlug("My Web-Shop 2")).toBe("mywebsho");
  expect(projectSlug("日本")).toBe("project");
});

test("what would leave the folder, or mean something to tmux, is no name", () => {
  expect(["../x", "a:b", "a.b", "", "a b"].some(isSessionName)).toBe(false);
  expect(isSessionName(sessionName({ ...PARTS, cycle: "2" }))).toBe(true);
});
