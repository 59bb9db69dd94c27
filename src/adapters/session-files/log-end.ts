// The end of a log, because the end says how it went. More bytes are read than text is asked for,
// since most of what a terminal draws is not text; a bound keeps time and memory small.
import { openUntrusted } from "../shared/untrusted-file.ts";

const RAW_PER_TEXT = 16;
const RAW_MIN_BYTES = 256 * 1024;
const RAW_MAX_BYTES = 4 * 1024 * 1024;

/** Undefined where there is no log. */
export async function readLogEnd(logFile: string, textBytes: number): Promise<Buffer | undefined> {
  const handle = await openUntrusted(logFile);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const raw = Math.min(textBytes * RAW_PER_TEXT, RAW_MAX_BYTES);
    const length = Math.min(size, Math.max(RAW_MIN_BYTES, raw, textBytes));
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, size - length);
    // A cut goes through the middle of something; a whole line is safe to start from.
    const start = length < size ? buffer.indexOf("\n") + 1 : 0;
    return buffer.subarray(start, bytesRead);
  } finally {
    await handle.close();
  }
}
