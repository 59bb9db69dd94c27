import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coneOf, conePatterns } from "./sparse.ts";

test.each([[["a"]], [["a/b/c", "a/d"]], [["a", "a/b"]], [["z/", "a//b"]], [["odd [name]*"]]])(
  "the patterns are those of git for %j",
  (folders) => {
    const repo = mkdtempSync("/tmp/pawl-sparse-");
    try {
      const env = { PATH: process.env["PATH"], HOME: repo, GIT_CONFIG_NOSYSTEM: "1" };
      const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, env });
      git("init", "-q");
      git("sparse-checkout", "set", "--cone", "--skip-checks", ...folders);
      const written = readFileSync(join(repo, ".git/info/sparse-checkout"), "utf8");
      expect(conePatterns(folders).split("\n").toSorted()).toEqual(written.split("\n").toSorted());
    } finally {
      rmSync(repo, { recursive: true });
    }
  },
);

test("a cone holds its folders with all below, and the files directly above them", () => {
  const isThere = coneOf(["a/b", "c"]);
  const paths = ["top", "a/file", "a/b/deep/file", "c/file", "a/other/file", "a/bb/file", "d/file"];
  expect(paths.filter(isThere)).toEqual(["top", "a/file", "a/b/deep/file", "c/file"]);
});
