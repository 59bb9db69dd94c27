// Makes a folder and those above it, or says in a sentence why that cannot be. It makes one at a
// time: Node's recursive mkdir reports a read-only file system as ENOENT, and below /proc it never
// returns (Node 24.21).
import { lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, isAbsent } from "../lib/error-code.ts";
import { causeOf } from "./file-failure.ts";
import { OperationError } from "../lib/operation-error.ts";

/** What the folder is for, and what a person does where it cannot be made. */
type Purpose = { what: string; hint: string; mode?: number };

const PRIVATE_MODE = 0o700;

/** The state folder (PAWL_HOME), which only its user can read. */
export function makeHome(home: string): void {
  makeFolder(home, {
    what: "the state folder",
    hint: "set PAWL_HOME to a folder that you can write to",
  });
}

export function makeFolder(folder: string, { what, hint, mode = PRIVATE_MODE }: Purpose): void {
  try {
    const missing: string[] = [];
    for (let at = folder; isMissing(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
    for (const one of missing.reverse()) makeOne(one, mode);
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    throw new OperationError(`cannot make ${what} ${folder}: ${causeOf(error)}`, {
      code: "folder",
      hint,
      cause: error,
    });
  }
  throw new OperationError(`cannot use ${what} ${folder}: it is not a folder`, {
    code: "folder",
    hint,
  });
}

function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    if (isAbsent(error)) return true;
    throw error;
  }
}

/** Another program may have made it in the meantime. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
