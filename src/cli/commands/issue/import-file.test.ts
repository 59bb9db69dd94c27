import { expect, test } from "vitest";
import { parseImport } from "./import-file.ts";

test("every first-level heading outside code is an issue", () => {
  const text = [
    "Backlog of March",
    "# One",
    "",
    "Text of one",
    "## Details",
    "```sh",
    "# a comment",
    "```",
    "# Two #",
    "#not a heading",
    "#   Three `x`  ",
  ].join("\r\n");
  expect(parseImport(text, "b.md")).toEqual([
    { title: "One", body: "Text of one\n## Details\n```sh\n# a comment\n```" },
    { title: "Two", body: "#not a heading" },
    { title: "Three `x`", body: "" },
  ]);
});

test("a JSON array is taken with its labels and dependencies", () => {
  const items = [
    { title: " One ", labels: ["a"], depends_on: [3] },
    { title: "Two", body: "b" },
  ];
  expect(parseImport(JSON.stringify(items), "b.json")).toEqual([
    { title: "One", body: "", labels: ["a"], dependsOn: [3] },
    { title: "Two", body: "b" },
  ]);
});

test.each([
  ["[", "b.json is not valid JSON"],
  ["{}", "b.json must hold a JSON array of issues"],
  ["[1]", "b.json: issue 1 is not an object"],
  ["[{}]", "b.json: issue 1 has no title"],
  ['[{"title": "a"}, {"title": "b", "tilte": "c"}]', 'b.json: issue 2 has an unknown key "tilte"'],
  ['[{"title": "a", "labels": "x"}]', "b.json: issue 1: labels must be a list of strings"],
  ['[{"title": "a", "depends_on": ["x"]}]', "depends_on must be a list of numbers"],
  ['[{"title": "a", "body": 1}]', "b.json: issue 1: body must be a string"],
])("%s is refused with its place", (text, message) => {
  expect(() => parseImport(text, "b.json")).toThrow(message);
});
