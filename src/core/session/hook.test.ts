import { expect, test } from "vitest";
import { advances, newHook, phaseOfTool, withFiles, type WorkPhase } from "./hook.ts";

test.each<[string, string, WorkPhase | undefined]>([
  ["Read", "src/a.ts", undefined],
  ["Grep", "npm test", undefined],
  ["TodoWrite", "", "planning"],
  ["Edit", "src/a.ts", "implementation"],
  ["MultiEdit", "src/a.ts", "implementation"],
  ["apply_patch", "", "implementation"],
  ["Bash", "git status", undefined],
  ["Bash", "npm test", "testing"],
  ["Bash", "cd x && npx vitest run --project unit", "testing"],
  ["shell", "make check", "testing"],
  ["Bash", "go test ./...", "testing"],
  ["Bash", "cat latest-results", undefined],
])("%s %s shows the phase %s", (tool, summary, phase) => {
  expect(phaseOfTool(tool, summary)).toBe(phase);
});

test("a plan in the middle of the work does not move the hook back", () => {
  expect(advances("investigation", "planning")).toBe(true);
  expect(advances("implementation", "planning")).toBe(false);
  expect(advances("testing", "implementation")).toBe(true);
  expect(advances("testing", "testing")).toBe(false);
});

test("files are named once, the newest last, and only so many", () => {
  const hook = withFiles(withFiles(newHook("x", 0), ["a", "b"]), ["a", "c", "c"]);
  expect(hook.files).toEqual(["b", "a", "c"]);
  expect(withFiles(hook, ["a"])).toBe(hook);
  const many = Array.from({ length: 150 }, (_, index) => `f${index}`);
  expect(withFiles(hook, many).files).toHaveLength(100);
});
