// Keeps the newest logs of checks within a bound. Results are remembered with the end of their
// output, so that a removed log loses only its beginning.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../lib/error-code.ts";

export async function pruneLogs(
  folder: string,
  limits: { folders: number; bytes: number },
): Promise<void> {
  const names = await listIfThere(folder);
  const logs = await Promise.all(names.map((name) => measure(join(folder, name))));
  let bytes = 0;
  for (const [index, log] of logs.toSorted((a, b) => b.changedAt - a.changedAt).entries()) {
    bytes += log.bytes;
    if (index < limits.folders && bytes <= limits.bytes) continue;
    await rm(log.path, { recursive: true, force: true });
  }
}

async function measure(path: string): Promise<{ path: string; changedAt: number; bytes: number }> {
  const files = await listIfThere(path);
  const sizes = await Promise.all(
    files.map(async (file) => (await statIfThere(join(path, file))).size),
  );
  const { mtimeMs } = await statIfThere(path);
  return { path, changedAt: mtimeMs, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

// Another slot's check may be turning its log over right now: what is gone has no size.
async function statIfThere(path: string): Promise<{ size: number; mtimeMs: number }> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { size: 0, mtimeMs: Infinity };
    throw error;
  }
}

export async function listIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
