import { expect, test } from "vitest";
import { OperationError } from "../../lib/operation-error.ts";
import { isShortage } from "./shortage.ts";

const failed = (code: string): Error => Object.assign(new Error(`${code}: failed`), { code });
const wrapping = (cause: unknown): OperationError =>
  new OperationError("cannot run git", { code: "command-failed", cause });

test.each([
  ["a full disk", failed("ENOSPC"), true],
  ["no file left", failed("EMFILE"), true],
  ["a program that could not be started for want of processes", wrapping(failed("EAGAIN")), true],
  ["a file that may not be read", failed("EACCES"), false],
  ["a program that is not there", wrapping(failed("ENOENT")), false],
  ["a bug", new TypeError("x is undefined"), false],
  ["no error", "ENOSPC", false],
])("%s", (_, error, expected) => {
  expect(isShortage(error)).toBe(expected);
});

test("an error that wraps itself ends the search", () => {
  const error = new Error("round");
  error.cause = error;
  expect(isShortage(error)).toBe(false);
});
