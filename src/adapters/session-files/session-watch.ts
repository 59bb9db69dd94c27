// Watches one session. Every change leads to one reading of the whole folder; changes during a
// reading lead to one more. Subscribers get a reading only if it differs from the last one. Spool
// files that were reported and not removed are reported again after a while.
import { join } from "node:path";
import type { SessionSnapshot, WatchedSession } from "../../ports/session-files.ts";
import { LIFE_FILES } from "../shared/life-record.ts";
import { hasProc, judge, readProcess } from "../shared/process-table.ts";
import { listenAlive } from "./alive-fifo.ts";
import { watchFolders } from "./folder-watches.ts";
import type { FolderEvents } from "./folder-watches.ts";
import { layoutOf } from "./layout.ts";
import { fingerprint } from "./lister.ts";
import type { Listed, Lister } from "./lister.ts";
import { readSession } from "./read-session.ts";
import type { Reading } from "./read-session.ts";

const SHOW_AGAIN_MS = 10_000;
const CLOSED_LOOK_MS = 2;
const CLOSED_LOOKS_MAX = 25;

export type WatchContext = { lister: Lister } & Omit<FolderEvents, "onEvent">;

export function watchSession(session: WatchedSession, context: WatchContext): { close(): void } {
  const watch = new SessionWatch(session, context);
  return { close: () => watch.close() };
}

class SessionWatch implements Listed {
  readonly #session: WatchedSession;
  readonly #context: WatchContext;
  readonly #layout;
  readonly #folders;
  readonly #shown = new Map<string, number>();
  #alive: { close(): void } | undefined;
  #listened = false;
  #last: SessionSnapshot | undefined;
  #seen: string | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #saidGone = false;

  constructor(session: WatchedSession, context: WatchContext) {
    this.#session = session;
    this.#context = context;
    const layout = layoutOf(session.dir.path);
    this.#layout = layout;
    const { lister, ...events } = context;
    const folders = [layout.dir, layout.inboxNew, layout.inboxCur, layout.spoolNew];
    this.#folders = watchFolders(folders, { ...events, onEvent: () => this.#wake() });
    lister.add(this);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#context.lister.remove(this);
    this.#folders.close();
    this.#alive?.close();
  }

  /** The lister's turn. */
  look(regardless: boolean): void {
    this.#folders.renew();
    if (regardless || this.#seen === undefined || fingerprint(this.#layout) !== this.#seen) {
      this.#wake();
    }
    if (this.#isGone()) this.#sayGone();
  }

  #isGone(): boolean {
    const id = this.#last?.process;
    return hasProc && id !== undefined && judge(readProcess(id.pid), id) === "dead";
  }

  #sayGone(): void {
    if (this.#saidGone) return;
    this.#saidGone = true;
    this.#wake(this.#session.onMaybeGone);
  }

  /**
   * A process closes its files a moment before it counts as dead: the reading waits for that
   * moment.
   * If the process lives on, it has lost its FIFO; that is reported too.
   */
  #lostFifo(triesLeft: number): void {
    if (this.#closed) return;
    if (this.#isGone()) this.#sayGone();
    else if (triesLeft === 0 || !hasProc) this.#wake(this.#session.onMaybeGone);
    else setTimeout(() => this.#lostFifo(triesLeft - 1), CLOSED_LOOK_MS);
  }

  /** Reads; `then` runs after a reading that began after this call. */
  #wake(then: () => void = () => {}): void {
    this.#again = true;
    this.#reading ??= this.#readAll();
    this.#reading.then(
      () => {
        if (!this.#closed) then();
      },
      // A failure is reported where the reading is made; no other code waits for it.
      () => {},
    );
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        await this.#readOnce();
      }
    } catch (error) {
      this.#seen = undefined;
      const what = error instanceof Error ? error.message : String(error);
      this.#context.onWarning(`cannot read ${this.#layout.dir}: ${what}`);
    } finally {
      this.#reading = undefined;
    }
  }

  async #readOnce(): Promise<void> {
    // Taken before the reading, so that what changes meanwhile is found by the next look.
    const seen = fingerprint(this.#layout);
    const now = Date.now();
    const reading = await readSession(
      this.#layout,
      (name) => now - (this.#shown.get(name) ?? -Infinity) < SHOW_AGAIN_MS,
    );
    if (this.#closed) return;
    this.#remember(reading, now);
    // Files still in the spool wait to be shown again.
    this.#seen = reading.spooled.length > 0 ? undefined : seen;
    this.#again ||= reading.more;
    if (reading.process !== undefined) this.#listen();
    this.#tell(reading);
  }

  #remember(reading: Reading, now: number): void {
    const present = new Set(reading.spooled);
    for (const name of this.#shown.keys()) if (!present.has(name)) this.#shown.delete(name);
    for (const { name } of reading.spool) this.#shown.set(name, now);
  }

  /**
   * Only once there is a process: before that no process holds the FIFO, and it reads as closed.
   */
  #listen(): void {
    if (this.#listened) return;
    this.#listened = true;
    this.#alive = listenAlive(join(this.#layout.dir, LIFE_FILES.alive), () => {
      this.#lostFifo(CLOSED_LOOKS_MAX);
    });
  }

  #tell({ phase, spool, acknowledged, exit, process }: Reading): void {
    const snapshot = { phase, spool, acknowledged, exit, process };
    const last = this.#last;
    this.#last = snapshot;
    if (spool.length > 0 || last === undefined || outline(last) !== outline(snapshot)) {
      // Not from here: what fails in the listener is no failure to read.
      queueMicrotask(() => {
        if (!this.#closed) this.#session.onChange(snapshot);
      });
    }
  }
}

const outline = ({ phase, acknowledged, exit, process }: SessionSnapshot): string =>
  JSON.stringify([phase?.stamp, acknowledged, exit, process]);
