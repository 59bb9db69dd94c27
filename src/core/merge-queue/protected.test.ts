import { expect, test } from "vitest";
import { outsideOf, pluginFolders, protectedAmong } from "./protected.ts";

const isProtected = (pattern: string, path: string): boolean =>
  protectedAmong([path], [pattern]).length === 1;

test.each([
  ["test.sh", "test.sh"],
  [".github/**", ".github/workflows/ci.yml"],
  [".github", ".github/workflows/ci.yml"],
  ["ci/", "ci/run"],
  ["ci/*.sh", "ci/run.sh"],
  ["**/conftest.py", "conftest.py"],
  ["**/conftest.py", "a/b/conftest.py"],
  ["a/**/b", "a/x/y/b"],
  ["a/**/b", "a/b"],
  ["x*y*z", "x1y2z"],
])("%s protects %s", (pattern, path) => {
  expect(isProtected(pattern, path)).toBe(true);
});

test.each([
  ["test.sh", "src/test.sh"],
  ["test.sh", "test.sh.txt"],
  ["ci/*.sh", "ci/deep/run.sh"],
  ["**/conftest.py", "a/b.py"],
  ["x*xy", "xy"],
])("%s does not protect %s", (pattern, path) => {
  expect(isProtected(pattern, path)).toBe(false);
});

test("a file or link in place of a protected folder is a change of it", () => {
  expect(isProtected(".github/workflows/**", ".github")).toBe(true);
});

test("pawl.toml, plugins and the vault's programs are protected without being named", () => {
  const always = ["pawl.toml", "plugins/count/plugin.md", "vault", "vault/handlers/deploy"];
  const others = [
    "a.txt",
    "plugins/index.ts",
    "plugins/eslint/rule.ts",
    "src/plugins/count/plugin.md",
    "vault/notes.md",
    "docs/plugins.md",
    "src/pawl.toml",
  ];
  expect(protectedAmong([...always, ...others], [])).toEqual(always);
  expect(protectedAmong(others, [])).toEqual([]);
});

test("all of a folder that is a plugin is protected, and ordinary sources beside it are not", () => {
  const paths = ["plugins/count/lib/deep.sh", "plugins/eslint/rule.ts", "plugins/index.ts"];
  expect(pluginFolders([...paths, "plugins/count/run.sh"])).toEqual([
    "plugins/count",
    "plugins/eslint",
  ]);
  expect(protectedAmong(paths, [], ["plugins/count"])).toEqual(["plugins/count/lib/deep.sh"]);
});

test("what is outside of the patterns is everything that none of them holds", () => {
  const paths = [
    "planner/MEMORY.md",
    "planner",
    "planner/journal/a.md",
    "AGENTS.md",
    "a/AGENTS.md",
  ];
  expect(outsideOf(paths, ["planner/**"])).toEqual(["planner", "AGENTS.md", "a/AGENTS.md"]);
  expect(outsideOf(paths, ["AGENTS.md"])).toContain("a/AGENTS.md");
  expect(outsideOf(paths, ["**/*.md", "planner"])).toEqual([]);
  expect(outsideOf(paths, ["planner/", "AGENTS.md"])).toEqual(["planner", "a/AGENTS.md"]);
});
