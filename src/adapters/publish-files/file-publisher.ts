// Publishes by temporary file and rename: a reader sees the old copy or the new one, never a part.
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationError } from "../../lib/operation-error.ts";
import type { Publisher } from "../../ports/publisher.ts";

export function createFilePublisher(): Publisher {
  return {
    publish: async (path, content) => {
      const temporary = `${path}.${randomUUID()}.tmp`;
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(temporary, content, { flag: "wx" });
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true });
        throw new OperationError(`cannot publish ${path}: ${String(cause)}`, {
          code: "publish-failed",
          hint: "check that the folder is writable and the disk has room",
          retryable: true,
          cause,
        });
      }
    },
  };
}
