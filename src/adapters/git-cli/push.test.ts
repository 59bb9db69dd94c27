import { expect, test } from "vitest";
import { parsePush } from "./push.ts";

const line = (summary: string): string => `To x\n!\tabc:refs/heads/main\t${summary}\nDone`;

test.each([
  ["[rejected] (fetch first)", { kind: "stale" }],
  ["[rejected] (non-fast-forward)", { kind: "stale" }],
  ["[rejected] (stale info)", { kind: "stale" }],
  ["[remote rejected] (cannot lock ref 'refs/heads/main')", { kind: "stale" }],
  ["[remote rejected] (failed to update ref)", { kind: "stale" }],
])("%s means that the ref there is another", (summary, outcome) => {
  expect(parsePush(line(summary), "")).toEqual(outcome);
});

test("a refusal carries its reason and what upstream said", () => {
  const stderr = "remote: You are not allowed        \nremote: \nerror: failed to push";
  expect(parsePush(line("[remote rejected] (protected branch hook declined)"), stderr)).toEqual({
    kind: "declined",
    reason: "protected branch hook declined",
    remoteSaid: "You are not allowed",
  });
});

test("a push that did not get as far as the ref says nothing of it", () => {
  expect(parsePush("", "fatal: Could not read from remote repository.")).toBeUndefined();
});
