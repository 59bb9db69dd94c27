// Removes a folder with everything in it, also where tools made folders read-only (module caches do).
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isForbidden } from "../../lib/error-code.ts";

export async function removeTree(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    await makeWritable(path);
    await rm(path, options);
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
