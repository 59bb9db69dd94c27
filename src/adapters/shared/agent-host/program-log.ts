// What the program of an agent writes to stderr (a server: all that it writes), in a file of the
// session's folder. The program appends to it by itself, for weeks perhaps, so it is cut from time to
// time; of what was said before, its end is kept. Only the file that was opened is touched, whatever
// its name comes to mean.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { errorCode } from "../../../lib/error-code.ts";

const LOG_MAX_BYTES = 20_000_000;
const KEPT_BYTES = 1_000_000;
const LOOK_EVERY_MS = 60_000;
const END_MAX_BYTES = 64 * 1024;

export class ProgramLog {
  /** For the program. */
  readonly fd: number;
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(path: string) {
    this.fd = openSync(path, "a+", 0o600);
    this.#timer = setInterval(() => this.#cut(), LOOK_EVERY_MS).unref();
  }

  /** What was said last; empty where nothing was, or where it is closed. */
  end(): string {
    return this.#isClosed ? "" : this.#last(END_MAX_BYTES).toString("utf8");
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    closeSync(this.fd);
  }

  /** What the program writes in this moment may be lost. */
  #cut(): void {
    try {
      if (fstatSync(this.fd).size <= LOG_MAX_BYTES) return;
      const kept = this.#last(KEPT_BYTES);
      ftruncateSync(this.fd, 0);
      writeSync(this.fd, kept);
    } catch (error) {
      // A disk that fails must not end an agent: the log is cut the next time.
      if (errorCode(error) === undefined) throw error;
    }
  }

  #last(maxBytes: number): Buffer {
    const { size } = fstatSync(this.fd);
    const buffer = Buffer.alloc(Math.min(maxBytes, size));
    const read = readSync(this.fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.subarray(0, read);
  }
}
