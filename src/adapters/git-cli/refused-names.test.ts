import { expect, test } from "vitest";
import { refusedByGit } from "./refused-names.ts";

const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

test.each([
  ".GIT/work.txt",
  "sub/.Git/x",
  "git~1",
  "sub/git~1/notes.txt",
  ".git. /x",
  "dir/.git ::$INDEX_ALLOCATION/x",
  String.raw`a\.git\x`,
  ".g\u200Cit/x",
])("git takes no index entry %j", (path) => {
  expect(refusedByGit(latin1(path), false)).toBe(true);
});

test.each([".gitignore", ".gitattributes", "git", "a.git/HEAD", "dir/git-1", ".github/x", "git~x"])(
  "git takes an index entry %j",
  (path) => {
    expect(refusedByGit(latin1(path), false)).toBe(false);
  },
);

test("a link with the name of a file of git's own is refused, and an ordinary one is not", () => {
  expect(refusedByGit(".gitmodules", true)).toBe(true);
  expect(refusedByGit("x/GITMOD~1", true)).toBe(true);
  // Also below a folder of that name.
  expect(refusedByGit(".gitmodules/lib/cr\r", true)).toBe(true);
  expect(refusedByGit(".gitmodules/lib/cr\r", false)).toBe(false);
  expect(refusedByGit("x/link", true)).toBe(false);
});
