import { expect, test } from "vitest";
import { hasMarks, resolverName } from "./resolver.ts";

test.each([
  ["<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", true],
  ["a\n||||||| base\n", true],
  ["a\n>>>>>>>\r\n", true],
  ["a\n=======\nb\n", true],
  ["a <<<<<<< b\n<<<<<<<<< nine\n", false],
  ["", false],
])("in %j there are marks: %s", (text, marks) => {
  expect(hasMarks(text, ["a\n", "b\n"])).toBe(marks);
});

test("a heading that one side has is no mark", () => {
  expect(hasMarks("Title\n=======\nboth\n", ["Title\n=======\n", "other\n"])).toBe(false);
});

test("a program is called by its file", () => {
  expect(resolverName(["/opt/bin/mergiraf", "solve", "{file}"])).toBe("mergiraf");
  expect(resolverName(["mergiraf"])).toBe("mergiraf");
});
