// One HTTP request, with a limit on everything. The answer says what is known about the effect:
// answered, certainly never sent, or unknown. Redirects are not followed, so that a token reaches
// only the host it was meant for.
import type { ClientRequest, IncomingMessage } from "node:http";
import { errorCode } from "../../lib/error-code.ts";

export type HttpRequest = {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
};

export type HttpOutcome =
  | { kind: "answered"; status: number; text: string }
  /** No connection came about: the other side has seen nothing of it. */
  | { kind: "unsent"; why: string }
  /** It was connected, and then something went wrong: it may have been done. */
  | { kind: "unknown"; why: string };

const ANSWER_MAX_BYTES = 64 * 1024;

export async function httpCall(request: HttpRequest): Promise<HttpOutcome> {
  const url = parse(request.url);
  if (url === undefined) return { kind: "unsent", why: "the address is not an http or https URL" };
  // Loaded where something is sent: every start of a command would pay for it otherwise.
  const { request: open } =
    url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve) => {
    let connected = false;
    const failed = (why: string): void => resolve({ kind: connected ? "unknown" : "unsent", why });
    const { method, headers, body, timeoutMs } = request;
    const length = { "content-length": String(Buffer.byteLength(body)) };
    let call: ClientRequest;
    try {
      call = open(url, { method, headers: { ...headers, ...length }, agent: false });
    } catch (error) {
      // A header or a method that HTTP does not allow.
      failed(reasonOf(error));
      return;
    }
    const timer = setTimeout(
      () => call.destroy(new Error(`no answer after ${timeoutMs} ms`)),
      timeoutMs,
    );
    call.on("socket", (socket) =>
      socket.on(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        connected = true;
      }),
    );
    call.on("error", (error) => failed(reasonOf(error)));
    call.on("response", (response) => {
      collect(response).then(
        (text) => resolve({ kind: "answered", status: response.statusCode ?? 0, text }),
        (error: unknown) => failed(reasonOf(error)),
      );
    });
    call.on("close", () => {
      clearTimeout(timer);
      failed("the connection was closed");
    });
    call.end(body);
  });
}

function parse(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** The beginning of the answer; an endless one is cut off. */
async function collect(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > ANSWER_MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8").slice(0, ANSWER_MAX_BYTES);
}

/** Several addresses may have been tried: then the message is empty, and the code says it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === "" ? (errorCode(error) ?? error.name) : error.message;
}
