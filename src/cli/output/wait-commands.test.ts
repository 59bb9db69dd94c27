import { expect, test } from "vitest";
import { waitCommands } from "./wait-commands.ts";

const RETRY = "pawl retry 5";

test.each([
  [
    "blocked: the issue has no fenced block that starts with ```sh",
    "pawl issue edit 5 --body-file FILE",
  ],
  ["blocked: the sh block of the issue failed (exit 2)", "pawl logs 5"],
  ["blocked: CI failed, and the issue has no block `sh on-ci-failure`", "pawl ci failures 5"],
])("%s: the cause comes before the retry", (why, first) => {
  const wait = { project: "toy", about: "#5", why, needs_you: true, command: RETRY };
  expect(waitCommands(wait)).toEqual([first, RETRY]);
});

test("what has no other cause to look at is settled by its own command, or by none", () => {
  const wait = { project: "toy", about: "#5", why: "which name?", needs_you: true };
  expect(waitCommands({ ...wait, command: RETRY })).toEqual([RETRY]);
  expect(waitCommands({ ...wait, command: null })).toEqual([]);
});
