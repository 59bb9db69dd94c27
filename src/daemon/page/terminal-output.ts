// What a terminal shows, to one browser: its screen first, then what its log gains. Only what is
// written down anyway is read, so that neither tmux nor the agent notices that a person looks on. A
// browser that cannot keep up is sent nothing more until it has caught up; where it is far behind, it
// gets the screen again instead of everything that it missed.
import type { FileHandle } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { openUntrusted } from "../../adapters/shared/untrusted-file.ts";
import { UNPARSED_LOW_BYTES, UNPARSED_MAX_BYTES } from "../../api/terminal.ts";
import { oneAtATime } from "../../lib/one-at-a-time.ts";
import type { TerminalSize } from "../../ports/terminal.ts";
import { watchLog } from "../publishing/watch-log.ts";
import { HarmlessOutput } from "./harmless-output.ts";

const SETTLE_MS = 8;
const PIECE_BYTES = 32 * 1024;
const BEHIND_MAX_BYTES = 512 * 1024;
/** tmux shows what it has read a moment before its log has it. */
const LOG_LAG_MS = 20;
const PAINTS_MAX = 3;

export type Screen = { size: TerminalSize; text: string; live: boolean };

type Browser = {
  screen(screen: Omit<Screen, "text">): void;
  output(bytes: Uint8Array): void;
};

export type OutputOptions = {
  logFile: string;
  /** What the log had when the browser was shown the screen that it has already. */
  shownAt?: number | undefined;
  paint: () => Promise<Screen>;
  browser: Browser;
  onError: (error: unknown) => void;
};

export class TerminalOutput {
  readonly #options: OutputOptions;
  readonly #stopWatching: () => void;
  #filter = new HarmlessOutput();
  /** Up to where the log was sent; undefined: the screen is to be painted first. */
  #at: number | undefined;
  #shownAt: number | undefined;
  /** How often all was to be painted again: what was painted before that is not shown. */
  #wanted = 0;
  #unparsed = 0;
  #isClosed = false;
  readonly #pumpOnce = oneAtATime(async () => {
    while (!this.#isClosed && this.#unparsed < UNPARSED_MAX_BYTES) {
      if (!(await this.#step())) return;
    }
  });

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#shownAt = options.shownAt;
    this.#stopWatching = watchLog(options.logFile, () => this.#pump(), { settleMs: SETTLE_MS });
    this.#pump();
  }

  /** Another life of its agent, for one: what is shown now has little to do with what was. */
  repaint(): void {
    this.#wanted += 1;
    this.#at = undefined;
    this.#shownAt = undefined;
    this.#pump();
  }

  parsed(bytes: number): void {
    this.#unparsed = Math.max(0, this.#unparsed - bytes);
    if (this.#unparsed <= UNPARSED_LOW_BYTES) this.#pump();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
  }

  #pump(): void {
    this.#pumpOnce().catch((error: unknown) => {
      if (!this.#isClosed) this.#options.onError(error);
    });
  }

  /** False where there is nothing more to send. */
  async #step(): Promise<boolean> {
    if (this.#at === undefined) {
      await this.#paint();
      return true;
    }
    const handle = await openUntrusted(this.#options.logFile);
    if (handle === undefined) return false;
    try {
      return await this.#read(handle, this.#at);
    } finally {
      await handle.close();
    }
  }

  async #read(handle: FileHandle, at: number): Promise<boolean> {
    const { size } = await handle.stat();
    if (size - at > BEHIND_MAX_BYTES || size < at) {
      this.#at = undefined;
      return true;
    }
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    // Painted again meanwhile.
    if (this.#at !== at) return true;
    if (bytesRead === 0) return false;
    this.#at = at + bytesRead;
    this.#send(this.#filter.pass(buffer.subarray(0, bytesRead)));
    return true;
  }

  /**
   * Shown at once, and again where the log grew while the screen was read: a little may be drawn twice,
   * nothing is missed.
   */
  async #paint(): Promise<void> {
    const wanted = this.#wanted;
    for (let paints = 1; ; paints++) {
      const at = this.#shownAt ?? (await this.#showAgain(wanted));
      this.#shownAt = undefined;
      if (at === undefined) return;
      if (paints < PAINTS_MAX) {
        await wait(LOG_LAG_MS);
        if ((await sizeOf(this.#options.logFile)) !== at) continue;
      }
      if (this.#wanted === wanted) this.#at = at;
      return;
    }
  }

  /** Gives what the log had before; undefined where it is not wanted any more. */
  async #showAgain(wanted: number): Promise<number | undefined> {
    const at = await sizeOf(this.#options.logFile);
    const { text, ...rest } = await this.#options.paint();
    if (this.#isClosed || this.#wanted !== wanted) return undefined;
    this.#filter = new HarmlessOutput();
    this.#options.browser.screen(rest);
    this.#send(this.#filter.pass(Buffer.from(text)));
    return at;
  }

  #send(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#unparsed += bytes.length;
    this.#options.browser.output(bytes);
  }
}

export async function sizeOf(logFile: string): Promise<number> {
  await using handle = await openUntrusted(logFile);
  return handle === undefined ? 0 : (await handle.stat()).size;
}
