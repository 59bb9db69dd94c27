// JSON-RPC over a WebSocket over a Unix socket, as `codex app-server` speaks it.
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { parseObject } from "../../lib/json-object.ts";
import type { Calls, RequestId } from "./protocol.ts";

export type Incoming = {
  id: RequestId | undefined;
  method: string;
  params: Record<string, unknown>;
};

/** What the server refuses; a connection that is gone leaves requests open for good. */
export class RefusedError extends Error {}

type Pending = { resolve: (answer: unknown) => void; reject: (error: Error) => void };

export class Rpc {
  /** When the connection is over. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #onMessage: (message: Incoming) => void;
  #lastId = 0;

  private constructor(socket: WebSocket, onMessage: (message: Incoming) => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("message", (data: Buffer) => this.#take(data.toString("utf8")));
    // A broken connection closes too: `closed` says so.
    socket.on("error", () => {});
  }

  /** Undefined where no server listens at that path yet. */
  static async connect(
    path: string,
    onMessage: (message: Incoming) => void,
  ): Promise<Rpc | undefined> {
    const socket = new WebSocket("ws://localhost/", {
      createConnection: () => connect(path),
      perMessageDeflate: false,
      // The caller has its answer before the next message is heard, also where both arrive at once.
      allowSynchronousEvents: false,
    });
    const rpc = new Rpc(socket, onMessage);
    try {
      await once(socket, "open");
      return rpc;
    } catch {
      socket.terminate();
      return undefined;
    }
  }

  call<M extends keyof Calls>(method: M, params: Calls[M]["asked"]): Promise<Calls[M]["answer"]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject });
    this.#send({ id, method, params });
    // The protocol of the version that is tested says so.
    return promise as Promise<Calls[M]["answer"]>;
  }

  notify(method: string): void {
    this.#send({ method });
  }

  answer(id: RequestId, result: unknown): void {
    this.#send({ id, result });
  }

  close(): void {
    this.#socket.terminate();
  }

  #send(message: unknown): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #take(text: string): void {
    const { id, method, params, result, error } = parseObject(text) ?? {};
    if (typeof method === "string") {
      const isId = typeof id === "string" || typeof id === "number";
      const values = (params ?? {}) as Record<string, unknown>;
      this.#onMessage({ id: isId ? id : undefined, method, params: values });
      return;
    }
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending === undefined) return;
    this.#pending.delete(Number(id));
    if (error === undefined) pending.resolve(result);
    else pending.reject(new RefusedError(messageOf(error)));
  }
}

const messageOf = (error: unknown): string => {
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : JSON.stringify(error);
};
