import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isUntouched } from "./untouched.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-untouched-"));
const folder = join(root, "files");
const index = join(root, "index");
const git = (...args: string[]): string =>
  execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      GIT_DIR: join(root, "git"),
      GIT_WORK_TREE: folder,
      GIT_INDEX_FILE: index,
      GIT_CONFIG_GLOBAL: "/dev/null",
    },
  });

let tree = "";
beforeAll(() => {
  mkdirSync(folder);
  git("init", "-q");
  mkdirSync(join(folder, "in"));
  for (const name of ["a", "in/ünïcode", "in/long-enough-for-padding", "run"]) {
    writeFileSync(join(folder, name), `${name}\n`);
  }
  chmodSync(join(folder, "run"), 0o755);
  symlinkSync("a", join(folder, "link"));
  git("add", "-A");
  tree = git("write-tree").trim();
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => {
  git("-c", "index.version=2", "read-tree", "--reset", "-u", tree);
});

const asked = () => isUntouched(folder, { index, idBytes: 20 });

test("files that only git wrote are untouched", async () => {
  expect(await asked()).toBe(true);
});

test.each<[string, (path: string) => void]>([
  ["was written to", (path) => writeFileSync(path, "A\n")],
  ["was removed", (path) => rmSync(path)],
  ["became executable", (path) => chmodSync(path, 0o755)],
  ["became a link", (path) => (rmSync(path), symlinkSync("link", path))],
  ["became a folder", (path) => (rmSync(path), mkdirSync(path))],
])("they are not where one %s", async (_, change) => {
  const path = join(folder, "a");
  change(path);
  expect(await asked()).toBe(false);
  rmSync(path, { recursive: true, force: true });
});

test("they are not where one of the same length and time was put in the place of another", async () => {
  const path = join(folder, "in", "ünïcode");
  const { atime, mtime } = statSync(path);
  writeFileSync(path, "in/ÜNÏCODE\n");
  utimesSync(path, atime, mtime);
  expect(await asked()).toBe(false);
});

test("an index in another form is left to git", async () => {
  git("update-index", "--index-version", "4");
  expect(await asked()).toBeUndefined();
});

test("an index that is gone is left to git", async () => {
  rmSync(index);
  expect(await asked()).toBeUndefined();
});
