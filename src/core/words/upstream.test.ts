import { expect, test } from "vitest";
import { askText, outsideText } from "./upstream.ts";

test("a new remote is named without its credentials, and nothing is said to be pushed there", () => {
  const asked = { kind: "remote", url: "https://ada:pw@forge/x.git", path: "/r" } as const;
  const text = askText({ kind: "local", path: "/r" }, asked);
  expect(text).toContain("https://forge/x.git now, and nothing is pushed there");
  expect(text).not.toContain("pw");
});

test("a commit that did not come through the merge queue is named, with how to acknowledge it", () => {
  const text = outsideText("0123456789abcdef", "Untested");
  expect(text).toContain('commit 0123456789 ("Untested")');
  expect(text).toContain("pawl merge-queue resume");
});
