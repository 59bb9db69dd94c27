// Errors of the machine rather than of what was tried: no space, no file or process left, a disk that
// does not answer. The same call works again once there is room, without any change by a person.
import { hasCode } from "../../lib/error-code.ts";

const CODES = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO"];
/** Errors that wrap errors are followed no further. */
const DEPTH_MAX = 8;

/** Also where another error wraps it, as that of a program that could not be started does. */
export function isShortage(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < DEPTH_MAX && at instanceof Error; depth += 1) {
    if (hasCode(at, CODES)) return true;
    at = at.cause;
  }
  return false;
}
