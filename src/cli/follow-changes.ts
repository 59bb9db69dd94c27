// Follows the daemon's change feed over its socket, for commands that show what happens. It resumes
// where it was when the connection breaks, for instance because the daemon was started again. Where no
// daemon runs, the command looks when the journal was written or a socket appears.
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { createChunkReader } from "./chunk-reader.ts";
import { createEventReader } from "./event-reader.ts";
import { watchFolders, type FolderWatch } from "./folder-watch.ts";

/** Within this time a daemon that is not stopped begins the stream. */
const BEGIN_MAX_MS = 3000;
/** It says every ten seconds that it lives: one that was silent for longer is stopped, or gone. */
const SILENT_MAX_MS = 25_000;
/** The least between two looks where there is no daemon: reading a journal makes files beside it. */
const AGAIN_MS = 500;

export type Follower = {
  /** Resolves when something may have changed since it was asked last; false when it was closed. */
  changed(): Promise<boolean>;
  close(): void;
};

export type FollowOptions = {
  socketPath: string;
  /** Where the journal is. */
  home: string;
  path: string;
  headers: Record<string, string>;
  beginMaxMs?: number;
};

/** Resolves when the stream has begun (or there is no daemon): what is read after that is not missed. */
export async function followChanges(options: FollowOptions): Promise<Follower> {
  const follower = new SocketFollower(options);
  await follower.begun;
  return follower;
}

class SocketFollower implements Follower {
  readonly #options: FollowOptions;
  readonly #begun = Promise.withResolvers<void>();
  #socket: Socket | undefined;
  #again: NodeJS.Timeout | undefined;
  #folders: FolderWatch | undefined;
  #lastId: string | undefined;
  #isClosed = false;
  #hasChanged = false;
  #wake: () => void = () => undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#connect();
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  async changed(): Promise<boolean> {
    if (!this.#hasChanged && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChanged = false;
    return !this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
    this.#folders?.close();
    this.#socket?.destroy();
    this.#wake();
  }

  #connect(): void {
    const { socketPath, beginMaxMs = BEGIN_MAX_MS } = this.#options;
    const socket = connect(socketPath);
    this.#socket = socket;
    const events = createEventReader({
      onId: (id) => {
        this.#lastId = id;
      },
      onEvent: (kind) => this.#heard(kind),
    });
    const chunks = createChunkReader(events);
    socket.on("connect", () => socket.write(this.#request()));
    socket.setTimeout(beginMaxMs, () => socket.destroy());
    socket.on("data", (part) => {
      socket.setTimeout(SILENT_MAX_MS);
      chunks(part);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => this.#disconnected());
  }

  /** `begin` says only where the stream is. */
  #heard(kind: string): void {
    this.#begun.resolve();
    this.#folders?.close();
    this.#folders = undefined;
    if (kind !== "begin") this.#report();
  }

  #report(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /**
   * What happened meanwhile is not known: the command looks, and the stream is asked to resume. Where
   * the daemon is gone, both wait until something in the folders of the factory changes.
   */
  #disconnected(): void {
    this.#begun.resolve();
    if (this.#isClosed) return;
    const { home, socketPath } = this.#options;
    const isFirst = this.#folders === undefined;
    this.#folders ??= watchFolders([home, dirname(socketPath)]);
    const again = (): void => {
      if (this.#isClosed) return;
      this.#again = setTimeout(() => {
        this.#report();
        this.#connect();
      }, AGAIN_MS);
    };
    if (isFirst) again();
    else this.#folders.changed().then(again, again);
  }

  #request(): string {
    const { path, headers } = this.#options;
    const resumed = this.#lastId === undefined ? {} : { "last-event-id": this.#lastId };
    const lines = Object.entries({ ...headers, ...resumed, accept: "text/event-stream" }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return `GET ${path} HTTP/1.1\r\nhost: pawl\r\nconnection: close\r\n${lines.join("\r\n")}\r\n\r\n`;
  }
}
