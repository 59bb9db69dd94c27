import { expect, test } from "vitest";
import { earlierPr } from "./prompt-earlier.ts";

const plain = (text: string): string => text;
const said = [{ author: "bob", body: "Wrong way.\n```\nrm -rf\n```" }];

test("a closed PR is quoted as data: title, what was said, and as much of its changes as there is", () => {
  const diff = { text: "+hello", isCut: true };
  const text = earlierPr(
    { number: 12, title: "Add it\nnow", state: "closed", said, diff },
    plain,
  ).join("\n");
  expect(text).toContain("PR #12 was an earlier attempt, and was closed without being merged");
  expect(text).toContain("Its title, as data: Add it now");
  expect(text).toContain("bob:\n\n````\nWrong way.");
  expect(text).toContain("the rest was cut here");
  expect(text).toContain("```\n+hello\n```");
});

test("an open PR is continued, and a whole diff is not called cut", () => {
  const open = earlierPr({ number: 3, title: "t", state: "open", said: [] }, plain).join("\n");
  expect(open).toContain("PR #3 is open: continue it");
  const diff = { text: "+a", isCut: false };
  const whole = earlierPr({ number: 3, title: "t", state: "closed", said: [], diff }, plain);
  expect(whole.join("\n")).not.toContain("cut");
  expect(earlierPr(undefined, plain)).toEqual([]);
});
