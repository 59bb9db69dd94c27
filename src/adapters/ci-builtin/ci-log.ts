// The log of one command: a file that keeps the end of what was printed within a bound, and the
// last lines for messages. While it is written it has two halves; the older one is dropped when
// the newer one is full.
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, writeFile, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { cutTail, TAIL_BYTES_MAX } from "../shared/cut-tail.ts";

/** Escape sequences and progress bars are taken out of the tail, so more than it shows is held. */
const HELD_BYTES_MAX = 8 * TAIL_BYTES_MAX;

export type CiLog = {
  write(chunk: Buffer): Promise<void>;
  /** Joins the halves. */
  close(): Promise<void>;
  tail(): string;
};

export async function openCiLog(file: string, limits: { bytesMax: number }): Promise<CiLog> {
  const older = `${file}.older`;
  await rm(older, { force: true });
  let handle: FileHandle = await open(file, "w");
  let [written, dropped, olderBytes] = [0, 0, 0];
  let held = Buffer.alloc(0);

  const turn = async (): Promise<void> => {
    await handle.close();
    await rename(file, older);
    handle = await open(file, "w");
    dropped += olderBytes;
    [olderBytes, written] = [written, 0];
  };

  return {
    write: async (chunk) => {
      held = Buffer.concat([held, chunk]).subarray(-HELD_BYTES_MAX);
      if (written > 0 && written + chunk.length > limits.bytesMax / 2) await turn();
      written += chunk.length;
      await handle.writeFile(chunk);
    },
    close: async () => {
      await handle.close();
      if (olderBytes > 0) await join({ older, file, dropped });
    },
    tail: () => cutTail(held.toString("utf8")),
  };
}

async function join(log: { older: string; file: string; dropped: number }): Promise<void> {
  const whole = `${log.file}.whole`;
  const note = log.dropped === 0 ? "" : `[pawl: the first ${log.dropped} bytes were left out]\n`;
  await writeFile(whole, note);
  for (const part of [log.older, log.file]) {
    await pipeline(createReadStream(part), createWriteStream(whole, { flags: "a" }));
  }
  await rename(whole, log.file);
  await rm(log.older, { force: true });
}
