import { expect, test } from "vitest";
import { OperationError } from "../../lib/operation-error.ts";
import { attempt, parseDocument, storeError } from "./failure.ts";

const place = { what: "write to", path: "/home/ann/pawl.db" };
const sqliteError = (errcode: number): Error =>
  Object.assign(new Error("it failed"), { code: "ERR_SQLITE_ERROR", errcode });
const systemError = (code: string): Error =>
  Object.assign(new Error("it failed"), { code, syscall: "open" });

test.each([
  ["SQLITE_FULL", sqliteError(13), "store-full"],
  ["SQLITE_IOERR_SHMSIZE", sqliteError(4874), "store-full"],
  ["SQLITE_IOERR_FSYNC", sqliteError(1034), "store-io"],
  ["SQLITE_CANTOPEN", sqliteError(14), "store-io"],
  ["SQLITE_READONLY_DBMOVED", sqliteError(1032), "store-io"],
  ["SQLITE_CORRUPT", sqliteError(11), "store-corrupt"],
  ["SQLITE_BUSY_SNAPSHOT", sqliteError(517), "store-busy"],
  ["ENOSPC", systemError("ENOSPC"), "store-full"],
  ["EDQUOT", systemError("EDQUOT"), "store-full"],
  ["EACCES", systemError("EACCES"), "store-io"],
])("%s is told with a code and a hint", (_, error, code) => {
  const told = storeError(error, place);
  expect(told).toBeInstanceOf(OperationError);
  expect(told).toMatchObject({ code, cause: error, hint: expect.any(String) });
  expect(told).toHaveProperty("message", "cannot write to journal /home/ann/pawl.db: it failed");
});

test("a mistake in our own SQL stays what it is", () => {
  const mistake = sqliteError(1);
  expect(() =>
    attempt(place, () => {
      throw mistake;
    }),
  ).toThrow(mistake);
});

test("a document that is not JSON is damage", () => {
  expect(() => parseDocument("{ torn", "event 7")).toThrow("cannot read event 7");
});
