// Which effect a daemon died of. An error that nothing catches ends the process; the effect in whose
// call it was thrown is written down at that moment, for the next daemon. A process that is aborted by
// its own engine (V8 out of memory, exit code 134) cannot write any more: for that case the effects
// under way are noted beforehand, and the keeper passes the exit code on. A process that is killed from
// outside (kill -9, a reboot) has another exit code, so no effect is blamed for that, however often it
// happens.
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { errorCode, isAbsent } from "../../lib/error-code.ts";
import { parseObject } from "../../lib/json-object.ts";

const MESSAGE_MAX = 1_000;

/** `id`: tells one death from another, where the note is found twice. */
export type Death = { id: string; key: string; message: string };

/** `id`: tells one daemon from another. */
export type Aborted = { id: string; keys: string[] };

/** SIGILL, SIGTRAP, SIGABRT and SIGSEGV, as a shell tells them: how V8 and libc end a process. */
const ABORTS: ReadonlySet<number> = new Set([132, 133, 134, 139]);

/** Where a keeper starts the daemon again; `lastExit` is the exit code of the one before. */
export type Kept = { lastExit: number | undefined };

export type DeathNotes = {
  /** An uncaught error that comes from this work is written down with this key. */
  during<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** What the last daemon died of, where it was an effect. */
  last(): Death | undefined;
  /** What was under way when the last daemon was aborted; undefined where it was not. */
  aborted?(): Aborted | undefined;
  /** The note was processed. */
  forget(): void;
  close(): void;
};

export function createDeathNotes(path: string, kept?: Kept): DeathNotes {
  const current = new AsyncLocalStorage<string>();
  const underWay = kept === undefined ? undefined : noteUnderWay(`${path}.under-way`, kept);
  const write = (error: Error): void => {
    const key = current.getStore();
    if (key === undefined) return;
    const message = String(error.message).slice(0, MESSAGE_MAX);
    ifPossible(() => {
      writeFileSync(`${path}.new`, JSON.stringify({ id: randomUUID(), key, message }));
      renameSync(`${path}.new`, path);
    });
  };
  process.on("uncaughtExceptionMonitor", write);
  return {
    during: async (key, work) => {
      const done = underWay?.begin(key);
      try {
        return await current.run(key, work);
      } finally {
        done?.();
      }
    },
    last: () => read(path),
    aborted: () => underWay?.before,
    forget: () => rmSync(path, { force: true }),
    close: () => void process.off("uncaughtExceptionMonitor", write),
  };
}

/** One small file, written at the beginning and the end of every effect. */
function noteUnderWay(path: string, { lastExit }: Kept) {
  const isAborted = lastExit !== undefined && ABORTS.has(lastExit);
  const before = isAborted ? readUnderWay(path) : undefined;
  const id = randomUUID();
  const keys: string[] = [];
  const write = (): void =>
    ifPossible(() => writeFileSync(path, JSON.stringify({ id, keys }), { mode: 0o600 }));
  return {
    before,
    begin: (key: string) => {
      keys.push(key);
      write();
      return (): void => {
        keys.splice(keys.indexOf(key), 1);
        write();
      };
    },
  };
}

/**
 * Where a disk is full there is no note: the next daemon may not know what the last one died of. An
 * effect must not fail for that, and one that is done has its own outcome.
 */
function ifPossible(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

function readUnderWay(path: string): Aborted | undefined {
  try {
    const { id, keys } = parseObject(readFileSync(path, "utf8")) ?? {};
    if (typeof id !== "string" || !Array.isArray(keys)) return undefined;
    return { id, keys: keys.filter((key) => typeof key === "string") };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function read(path: string): Death | undefined {
  try {
    const { id, key, message } = parseObject(readFileSync(path, "utf8")) ?? {};
    if (typeof id !== "string" || typeof key !== "string") return undefined;
    return { id, key, message: String(message) };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
