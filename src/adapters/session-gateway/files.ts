// The files by which the daemon and a session's gateway know of each other. They lie outside the
// walls, so that the agent can neither read nor change them. `settings.json` holds the keys: it is
// removed as soon as it was read.
import { readFileSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AccountLimit, Terms } from "../../core/gateway/meter.ts";
import type { Spent } from "../../core/budget.ts";
import type { Prices } from "../../core/config.ts";
import type { UsageRow } from "../../core/usage.ts";
import { isObject, parseObject } from "../../lib/json-object.ts";
import type { ModelKey } from "../../ports/session-gateway.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { writeWhole } from "../shared/write-whole.ts";

const FILE_MAX_BYTES = 4 * 1024 * 1024;

/** Where something is listened for: a port of loopback, or a socket. */
export type Door = { port: number } | { socket: string };

/** How the agent gets in; chosen once for each life. */
export type Entry = { token: string; port: number };

export type Settings = {
  dir: string;
  folder: string;
  limits: string;
  token: string;
  keys: ModelKey[];
  spent: Spent;
  prices: Prices;
  retryMs: number;
  model: Door | undefined;
  proxy: Door | undefined;
};

/** What may change while a session lives. */
export type Steering = { terms: Terms; hosts: readonly string[] };

export type Books = { rows: UsageRow[]; requests: number };

export const settingsFile = (folder: string): string => join(folder, "settings.json");
const steeringFile = (folder: string): string => join(folder, "steering.json");
const booksFile = (folder: string): string => join(folder, "books.json");

export async function writeSettings(settings: Settings): Promise<void> {
  await mkdir(settings.folder, { recursive: true, mode: 0o700 });
  await writeWhole(settingsFile(settings.folder), JSON.stringify(settings));
}

export async function takeSettings(path: string): Promise<Settings | undefined> {
  const text = await readUntrusted(path, FILE_MAX_BYTES);
  await rm(path, { force: true });
  return parseObject(text ?? "") as Settings | undefined;
}

const entryFile = (folder: string): string => join(folder, "entry.json");

export async function writeEntry(folder: string, entry: Entry): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWhole(entryFile(folder), JSON.stringify(entry));
}

export async function readEntry(folder: string): Promise<Entry | undefined> {
  const read = parseObject((await readUntrusted(entryFile(folder), FILE_MAX_BYTES)) ?? "");
  return read as Entry | undefined;
}

export async function writeSteering(folder: string, steering: Steering): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWhole(steeringFile(folder), JSON.stringify(steering));
}

export const writeBooks = (folder: string, books: Books): Promise<void> =>
  writeWhole(booksFile(folder), JSON.stringify(books));

export async function readBooks(folder: string): Promise<Books | undefined> {
  const read = parseObject((await readUntrusted(booksFile(folder), FILE_MAX_BYTES)) ?? "");
  return read as Books | undefined;
}

/**
 * Asked before every request, and read again only where it has changed: another process that writes
 * it is heard at the next question, without a watch that could miss something.
 */
export class FollowedFile<T> {
  readonly #path: string;
  readonly #read: (value: unknown) => T;
  #stamp = "";
  #value: T;

  constructor(path: string, read: (value: unknown) => T) {
    this.#path = path;
    this.#read = read;
    this.#value = read(undefined);
  }

  now(): T {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const stamp = found === undefined ? "" : `${found.ino} ${found.mtimeMs} ${found.size}`;
    if (stamp === this.#stamp) return this.#value;
    this.#stamp = stamp;
    this.#value = this.#read(found === undefined ? undefined : parsed(this.#path));
    return this.#value;
  }
}

const parsed = (path: string): unknown => parseObject(readFileSync(path, "utf8"));

/** Without the file nothing is allowed: the daemon writes it before the session starts. */
const CLOSED: Steering = {
  terms: {
    budget: undefined,
    from: { tokens: 0, usd: 0 },
    closed: { until: Infinity, reason: "the gateway does not know what this run may spend" },
  },
  hosts: [],
};

export const followSteering = (folder: string): FollowedFile<Steering> =>
  new FollowedFile(steeringFile(folder), (value) =>
    isObject(value) ? (value as Steering) : CLOSED,
  );

/** Shared by all sessions of the factory. */
export const limitFile = (limits: string, key: string): string => join(limits, `${key}.json`);

export const followLimit = (limits: string, key: string): FollowedFile<AccountLimit | undefined> =>
  new FollowedFile(limitFile(limits, key), (value) => {
    if (!isObject(value)) return undefined;
    const { until, reason } = value;
    return typeof until === "number" && typeof reason === "string" ? { until, reason } : undefined;
  });
