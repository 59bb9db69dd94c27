// Writes a file atomically: a reader never sees half of it, also after a crash.
import { rename, rm, writeFile } from "node:fs/promises";
import { OperationError } from "../lib/operation-error.ts";

export async function putText(file: {
  temporary: string;
  path: string;
  text: string;
}): Promise<void> {
  try {
    await writeFile(file.temporary, file.text, { mode: 0o600 });
    await rename(file.temporary, file.path);
  } catch (cause) {
    await rm(file.temporary, { force: true });
    throw new OperationError(`cannot write ${file.path}: ${String(cause)}`, {
      code: "write-failed",
      hint: "is this session still the current one, and is there space on the disk?",
      cause,
    });
  }
}
