// Whether a process has ended; one that nobody has waited for yet has ended too.
import { readFileSync } from "node:fs";

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    return codeOf(error) === "ESRCH";
  }
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[ZX]/.test(line.slice(line.lastIndexOf(")") + 2));
  } catch (error) {
    // ENOENT: there is no /proc here, or it has ended between the two looks; the next one tells.
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ESRCH") return false;
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;
