import { expect, test } from "vitest";
import { describeError } from "../../lib/operation-error.ts";
import { alreadyInUse } from "./already-in-use.ts";

const HOLDER = { pid: 26539, host: "box", version: "0.1.0", startedAt: 0 };
const said = (command?: string) =>
  describeError(alreadyInUse("/h", command === undefined ? HOLDER : { ...HOLDER, command }));

test("the command that holds the factory is named, with how to end it", () => {
  const { message, hint } = said("merge-queue process");
  expect(message).toBe(
    "the factory /h is in use by pid 26539 on box (`pawl merge-queue process`, version 0.1.0, since 1970-01-01T00:00:00.000Z)",
  );
  expect(hint).toBe(
    "wait until that command has ended, or end it with Ctrl-C in its terminal or `kill 26539`",
  );
});

test("of a daemon, and of a holder without a name, the command that ends a daemon is named", () => {
  for (const command of ["daemon", "run", undefined]) {
    expect(said(command).hint).toContain("`pawl down` ends it");
  }
  expect(describeError(alreadyInUse("/h", undefined)).message).toBe(
    "the factory /h is in use by another Pawl",
  );
});
