// Reads what a person hands over as a file or on stdin, up to a limit.
import { createReadStream } from "node:fs";
import process from "node:process";
import { errorCode } from "../lib/error-code.ts";
import { describeError, OperationError } from "../lib/operation-error.ts";

/** More than any issue may have: the daemon's own limit gives the better message. */
const MAX_BYTES = 64 * 1024 * 1024;

export async function readText(path: string): Promise<string> {
  const from = path === "-" ? "stdin" : path;
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of path === "-" ? process.stdin : createReadStream(path)) {
      const bytes = Buffer.from(part as Buffer);
      size += bytes.length;
      if (size > MAX_BYTES) break;
      parts.push(bytes);
    }
  } catch (cause) {
    throw new OperationError(`cannot read ${from}: ${reason(cause)}`, { code: "usage", cause });
  }
  if (size > MAX_BYTES) {
    throw new OperationError(`cannot read ${from}: it has over ${MAX_BYTES} bytes`, {
      code: "usage",
    });
  }
  return Buffer.concat(parts).toString("utf8");
}

function reason(cause: unknown): string {
  const code = errorCode(cause);
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder";
  return code === "EACCES" ? "you may not read it" : describeError(cause).message;
}
