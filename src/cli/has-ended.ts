// Whether a process has ended; a zombie has ended too.
import { readFileSync } from "node:fs";
import { errorCode, hasCode } from "../lib/error-code.ts";

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    return errorCode(error) === "ESRCH";
  }
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[ZX]/.test(line.slice(line.lastIndexOf(")") + 2));
  } catch (error) {
    // ENOENT: there is no /proc here, or it has ended between the two looks; the next one tells.
    if (hasCode(error, ["ENOENT", "ESRCH"])) return false;
    throw error;
  }
}
