import { expect, test } from "vitest";
import { parseConflict } from "./conflicted.ts";

const TREE = "a".repeat(40);
const blob = (letter: string): string => letter.repeat(40);
const said = (kind: string, path: string): string[] => ["1", path, kind, `${kind} of ${path}\n`];
const text = (stages: string[], ...messages: string[][]): string =>
  [TREE, ...stages, "", ...messages.flat(), ""].join("\0").replace(/\0$/, "");

const BOTH = [
  `100644 ${blob("1")} 1\tsrc/a b.txt`,
  `100755 ${blob("2")} 2\tsrc/a b.txt`,
  `100644 ${blob("3")} 3\tsrc/a b.txt`,
];

test("a text that both sides changed has its three versions, and the mode that one side gave it", () => {
  const auto = said("Auto-merging", "src/a b.txt");
  const found = parseConflict(text(BOTH, auto, said("CONFLICT (contents)", "src/a b.txt")));
  expect(found).toMatchObject({
    kind: "text",
    tree: TREE,
    files: [
      { path: "src/a b.txt", mode: "100755", base: blob("1"), ours: blob("2"), theirs: blob("3") },
    ],
  });
});

test.each(["modify/delete", "rename/rename", "file/directory", "binary", "distinct modes"])(
  "a conflict of the kind %s is not for a program that merges text",
  (kind) => {
    const found = parseConflict(text(BOTH, said(`CONFLICT (${kind})`, "src/a b.txt")));
    expect(found).toEqual({ kind: "other", why: `CONFLICT (${kind}) of src/a b.txt` });
  },
);

test("a link, and a file that one side lacks, are for their author", () => {
  const contents = said("CONFLICT (contents)", "src/a b.txt");
  const link = BOTH.map((line) => line.replace(/^100755/, "120000"));
  expect(parseConflict(text(link, contents))).toMatchObject({ kind: "other" });
  expect(parseConflict(text(BOTH.slice(0, 2), contents))).toMatchObject({ kind: "other" });
});

test("a file whose name is not UTF-8 is for its author: its result would be written under another name", () => {
  const odd = BOTH.map((line) => line.replace("a b", "a\uFFFDb"));
  const found = parseConflict(text(odd, said("CONFLICT (contents)", "src/a\uFFFDb.txt")));
  expect(found).toMatchObject({ kind: "other", why: expect.stringContaining("UTF-8") });
});
