// HTTP and server-sent events of `opencode serve`, on loopback and with a password: without one, any
// page in a browser of this machine could run commands (CVE-2026-22812).
import { Buffer } from "node:buffer";

export type OpencodeEvent = { type: string; properties: Record<string, unknown> };

/** What the server refuses. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const SAID_MAX = 300;
/**
 * opencode listens before it can answer, and never answers a connection that it took in then: one
 * that waited for longer than this is given up for another.
 */
const PROBE_MS = 2_000;

export class OpencodeClient {
  readonly url: string;
  readonly #headers: Record<string, string>;
  readonly #workspace: string;
  readonly #aborting = new AbortController();

  constructor(place: { port: number; password: string; workspace: string }) {
    const login = Buffer.from(`opencode:${place.password}`).toString("base64");
    this.url = `http://127.0.0.1:${place.port}`;
    this.#headers = { authorization: `Basic ${login}`, "content-type": "application/json" };
    this.#workspace = place.workspace;
  }

  /** Its version; undefined while it does not answer. */
  async version(): Promise<string | undefined> {
    try {
      const answer = await this.#ask("/global/health", { signal: AbortSignal.timeout(PROBE_MS) });
      return String((answer as { version: unknown }).version);
    } catch {
      return undefined;
    }
  }

  get = (path: string): Promise<unknown> => this.#ask(path, {});

  post = (path: string, body: unknown): Promise<unknown> =>
    this.#ask(path, { method: "POST", body: JSON.stringify(body) });

  patch = (path: string, body: unknown): Promise<unknown> =>
    this.#ask(path, { method: "PATCH", body: JSON.stringify(body) });

  /** Resolves when the stream is open; `onEnd` when it is over. */
  async listen(onEvent: (event: OpencodeEvent) => void, onEnd: () => void): Promise<void> {
    const { body, ok, status } = await this.#fetch("/event", {});
    if (!ok || body === null) throw new RefusedError("opencode sends no events", status);
    read(body, onEvent).then(onEnd, onEnd);
  }

  /** What users have said in a session. */
  async said(session: string): Promise<string[]> {
    const messages = (await this.get(`/session/${session}/message`)) as {
      info: { role: string };
      parts: { text?: string }[];
    }[];
    return messages
      .filter(({ info }) => info.role === "user")
      .map(({ parts }) => parts.map(({ text }) => text ?? "").join("\n"));
  }

  close(): void {
    this.#aborting.abort();
  }

  async #ask(path: string, init: RequestInit): Promise<unknown> {
    const answer = await this.#fetch(path, init);
    const text = await answer.text();
    if (!answer.ok) {
      throw new RefusedError(`${answer.status}: ${text.slice(0, SAID_MAX)}`, answer.status);
    }
    return text === "" ? undefined : JSON.parse(text);
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    const url = new URL(path, this.url);
    url.searchParams.set("directory", this.#workspace);
    const signals = [this.#aborting.signal, ...(init.signal ? [init.signal] : [])];
    return fetch(url, { ...init, headers: this.#headers, signal: AbortSignal.any(signals) });
  }
}

async function read(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: OpencodeEvent) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const blocks = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      // The protocol of the version that is tested says so.
      if (data !== undefined) onEvent(JSON.parse(data) as OpencodeEvent);
    }
  }
}
