// What the system says when it refuses a file or folder, as a person reads it.
import { errorCode } from "../lib/error-code.ts";

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: "you have no permission to write there",
  EPERM: "you have no permission to write there",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "your disk quota is used up",
  ENOTDIR: "a part of the path is a file, not a folder",
  ENOENT: "the folder that it belongs in does not exist, or takes no files",
  ELOOP: "a link in the path leads back to itself",
  ENAMETOOLONG: "the path is too long",
};

/** Calls that make or change something; a failed look says something else. */
const WRITES: ReadonlySet<string> = new Set([
  "mkdir",
  "mkdtemp",
  "symlink",
  "link",
  "rename",
  "unlink",
  "rmdir",
  "write",
  "copyfile",
]);

export function causeOf(error: unknown): string {
  const known = CAUSES[errorCode(error) ?? ""];
  return known ?? (error instanceof Error ? error.message : String(error));
}

/** A refusal to write, which is the user's machine and no mistake of Pawl's; undefined for others. */
export function refusedWrite(error: unknown): string | undefined {
  const cause = CAUSES[errorCode(error) ?? ""];
  if (cause === undefined || !(error instanceof Error)) return undefined;
  const { syscall = "", path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const isRefused = errorCode(error) === "EROFS" || WRITES.has(syscall);
  const where = dest ?? path;
  return isRefused && where !== undefined ? `cannot write ${where}: ${cause}` : undefined;
}
