import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorCode, hasCode, isAbsent, isForbidden } from "./error-code.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const THIS_FILE = import.meta.filename;

test("what is not there is absent, also below a file", () => {
  const missing = thrownBy(() => readFileSync(`${THIS_FILE}.not`));
  const below = thrownBy(() => readFileSync(join(THIS_FILE, "below")));
  expect([errorCode(missing), errorCode(below)]).toEqual(["ENOENT", "ENOTDIR"]);
  expect([isAbsent(missing), isAbsent(below)]).toEqual([true, true]);
  expect(isForbidden(missing)).toBe(false);
});

test("an error is told by one code of several", () => {
  const folder = thrownBy(() => readFileSync(import.meta.dirname));
  expect(hasCode(folder, ["ENOENT", "EISDIR"])).toBe(true);
  expect(hasCode(folder, ["ENOENT"])).toBe(false);
  expect(isAbsent(folder)).toBe(false);
});

test("what may not be touched is forbidden", () => {
  const denied = ["EACCES", "EPERM"].map((code) => Object.assign(new Error(code), { code }));
  expect(denied.map(isForbidden)).toEqual([true, true]);
});

test("an error without a code has none, and neither has any other thrown value", () => {
  const thrown = [
    new Error("plain"),
    Object.assign(new Error("old"), { code: 20 }),
    "ENOENT",
    null,
  ];
  expect(thrown.map(errorCode)).toEqual([undefined, undefined, undefined, undefined]);
  expect(thrown.some((error) => hasCode(error, ["ENOENT", "20"]))).toBe(false);
});
