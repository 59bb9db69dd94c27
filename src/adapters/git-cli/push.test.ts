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

test.each([
  ["[remote rejected] (Internal Server Error)", ""],
  ["[remote rejected] (unpacker error)", "remote: fatal: write error: No space left on device"],
  ["[remote failure] (remote failed to report status)", ""],
  ["[remote rejected] (pre-receive hook declined)", "remote: Internal Server Connection Error"],
])("%s is an upstream that is out of order, not a refusal", (summary, stderr) => {
  expect(parsePush(line(summary), stderr)).toBeUndefined();
});

test.each([
  "remote: fatal: fsck error in packed object",
  "remote: fatal: pack exceeds maximum allowed size",
])("an error of the unpacker is a refusal where git's own rule is the cause: %s", (stderr) => {
  expect(parsePush(line("[remote rejected] (unpacker error)"), stderr)).toMatchObject({
    kind: "declined",
  });
});
