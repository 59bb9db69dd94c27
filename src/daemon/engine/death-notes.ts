// Which effect a daemon died of. An error that nothing catches ends the process; the effect in whose
// call it was thrown is written down at that moment, for the next daemon. A process that is killed from
// outside (kill -9, a reboot) writes nothing, so no effect is blamed for that, however often it happens.
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { isAbsent } from "../../lib/error-code.ts";
import { parseObject } from "../../lib/json-object.ts";

const MESSAGE_MAX = 1_000;

/** `id`: tells one death from another, where the note is found twice. */
export type Death = { id: string; key: string; message: string };

export type DeathNotes = {
  /** An uncaught error that comes from this work is written down with this key. */
  during<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** What the last daemon died of, where it was an effect. */
  last(): Death | undefined;
  /** The note was taken in. */
  forget(): void;
  close(): void;
};

export function createDeathNotes(path: string): DeathNotes {
  const current = new AsyncLocalStorage<string>();
  const write = (error: Error): void => {
    const key = current.getStore();
    if (key === undefined) return;
    const message = String(error.message).slice(0, MESSAGE_MAX);
    writeFileSync(`${path}.new`, JSON.stringify({ id: randomUUID(), key, message }));
    renameSync(`${path}.new`, path);
  };
  process.on("uncaughtExceptionMonitor", write);
  return {
    during: (key, work) => current.run(key, work),
    last: () => read(path),
    forget: () => rmSync(path, { force: true }),
    close: () => void process.off("uncaughtExceptionMonitor", write),
  };
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
