// A small typed client for JSON over HTTP: a limit on time and bytes of every request, retries where
// repeating is harmless, the server's own rate limit kept, answers remembered by ETag, paging to the
// end, and errors that name the next step. It knows no API, and must never show a token: headers
// never appear in a message, and answers are cut and redacted before they do.
import type { ZodType } from "zod";
import { OperationError } from "../../lib/operation-error.ts";
import { createEtagCache, type EtagCache } from "./http-etags.ts";
import { failureOf, notJson, saidIn, unreachable, wrongShape } from "./http-failures.ts";
import { createRateLimit, type Answered, type RateLimit } from "./http-rate-limit.ts";
import { bodyText, nextQuery } from "./http-text.ts";

const ATTEMPTS_MAX = 3;
const BACKOFF_FIRST_MS = 250;
const PAGES_MAX = 400;

export type HttpClientOptions = {
  /** Who is spoken to, as errors call it, e.g. `gitea at https://codeberg.org`. */
  server: string;
  /** Everything before the paths, e.g. `https://codeberg.org/api/v1`. */
  baseUrl: string;
  /** Sent with every request; this is where authorisation goes. */
  headers: Readonly<Record<string, string>>;
  /** Where the token comes from and what it must be allowed, for the hint of a 401 or 403. */
  access: string;
  /** Values that no message may contain. */
  secrets: readonly string[];
  timeoutMs: number;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  /** Shared by clients that use one token; made where none is given. */
  rateLimit?: RateLimit | undefined;
  /** A change was sent, and its answer is not read yet: where crash tests end the process. */
  onSent?: () => Promise<void> | void;
};

export type HttpRequest<T> = {
  /** What is tried, for errors: `read issue 4`. */
  what: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base URL; the caller escapes its parts. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  schema: ZodType<T>;
  /** Statuses beside 2xx that are answers to this question, e.g. 404. */
  accept?: readonly number[];
  /** Repeating it is harmless although it is a POST or PATCH. */
  repeatable?: boolean;
  /** Instead of the client's own, e.g. because an upload or a log takes longer. */
  timeoutMs?: number;
};

/** `pagesMax`: of a list whose end does not matter, only so many are read. */
type Pages = { pagesMax?: number };

export type HttpAnswer<T> =
  | { kind: "ok"; status: number; body: T; headers: Headers }
  /** One of the statuses in `accept`. */
  | {
      kind: "refused";
      status: number;
      text: string;
      /** Its reason, fit to be shown. */
      said: string;
    };

export type HttpClient = {
  ask<T>(request: HttpRequest<T>): Promise<HttpAnswer<T>>;
  /** Like `ask` without `accept`: the body. */
  get<T>(request: HttpRequest<T>): Promise<T>;
  /** All pages of a list, as `Link: rel="next"` leads through them. */
  list<T>(request: HttpRequest<T[]> & Pages): Promise<T[]>;
  /** How much was asked so far: for benches and status. */
  spent(): { requests: number; unchanged: number };
};

export const createHttpClient = (options: HttpClientOptions): HttpClient => new Client(options);

class Client implements HttpClient {
  readonly #options: HttpClientOptions;
  readonly #etags: EtagCache = createEtagCache();
  readonly #rate: RateLimit;
  #requests = 0;
  #unchanged = 0;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#rate = options.rateLimit ?? createRateLimit(options.now);
  }

  spent(): { requests: number; unchanged: number } {
    return { requests: this.#requests, unchanged: this.#unchanged };
  }

  async get<T>(request: HttpRequest<T>): Promise<T> {
    const answer = await this.ask({ ...request, accept: [] });
    if (answer.kind === "ok") return answer.body;
    throw failureOf(this.#options, request, { status: answer.status, text: answer.text });
  }

  async list<T>({ pagesMax = Infinity, ...request }: HttpRequest<T[]> & Pages): Promise<T[]> {
    const all: T[] = [];
    let query = request.query;
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const answer = await this.ask({ ...request, ...(query && { query }), accept: [] });
      if (answer.kind !== "ok") break;
      all.push(...answer.body);
      const next = nextQuery(answer.headers.get("link"));
      if (next === undefined || page >= pagesMax) return all;
      query = next;
    }
    throw new OperationError(
      `cannot ${request.what}: ${this.#options.server} has more than ${PAGES_MAX} pages of it`,
      { code: "http-too-much", hint: "this list is longer than Pawl reads" },
    );
  }

  /** Tried again where that is harmless and may help; the last failure is thrown. */
  async ask<T>(request: HttpRequest<T>): Promise<HttpAnswer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(request);
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        if (!error.retryable && !isDoubtful(error)) throw error;
        if (attempt >= ATTEMPTS_MAX || !mayRepeat(request, error)) throw error;
        const delayMs = this.#rate.delayMs() ?? BACKOFF_FIRST_MS * 4 ** (attempt - 1);
        // Long waits are the caller's: it can do something else meanwhile.
        if (delayMs > this.#options.timeoutMs) throw error;
        await this.#options.wait(delayMs);
      }
    }
  }

  async #once<T>(request: HttpRequest<T>): Promise<HttpAnswer<T>> {
    const url = this.#url(request);
    const known = isRead(request) ? this.#etags.get(url) : undefined;
    const { response, text } = await this.#counted(request, { url, etag: known?.etag });
    if (response.status === 304 && known !== undefined) {
      this.#unchanged += 1;
      return this.#parsed(request, { response, text: known.text, headers: known.headers });
    }
    if (!response.ok) {
      const { status, headers } = response;
      if (request.accept?.includes(status)) {
        return { kind: "refused", status, text, said: saidIn(this.#options, text) };
      }
      throw failureOf(this.#options, request, { status, text, headers });
    }
    const answer = this.#parsed(request, { response, text, headers: response.headers });
    const etag = response.headers.get("etag");
    if (isRead(request) && etag !== null) {
      this.#etags.put(url, { etag, text, headers: response.headers });
    }
    return answer;
  }

  /** Sent as one of those that the server counts. */
  async #counted<T>(
    request: HttpRequest<T>,
    to: { url: string; etag: string | undefined },
  ): Promise<{ response: Response; text: string }> {
    this.#rate.begin(this.#options.server, request.what);
    let answered: Answered | undefined;
    try {
      const { response, text } = await this.#send(request, to);
      answered = { status: response.status, headers: response.headers, text };
      return { response, text };
    } finally {
      this.#rate.end(answered);
    }
  }

  async #send<T>(
    request: HttpRequest<T>,
    to: { url: string; etag: string | undefined },
  ): Promise<{ response: Response; text: string }> {
    const { body } = request;
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs;
    this.#requests += 1;
    try {
      const response = await fetch(to.url, {
        method: request.method ?? "GET",
        headers: {
          accept: "application/json",
          ...this.#options.headers,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(to.etag !== undefined && { "if-none-match": to.etag }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A redirect would drop the method, or take the token to another host.
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!isRead(request)) await this.#options.onSent?.();
      return { response, text: await bodyText(response) };
    } catch (error) {
      throw unreachable(this.#options, request, { error, timeoutMs });
    }
  }

  #parsed<T>(
    request: HttpRequest<T>,
    got: { response: Response; text: string; headers: Headers },
  ): HttpAnswer<T> {
    const parsed = jsonOf(got.text);
    if (parsed === NOT_JSON) throw notJson(this.#options, request, got);
    const shaped = request.schema.safeParse(parsed);
    if (!shaped.success) throw wrongShape(this.#options, request, shaped.error);
    const { status } = got.response;
    return { kind: "ok", status, body: shaped.data, headers: got.headers };
  }

  #url<T>({ path, query = {} }: HttpRequest<T>): string {
    const url = new URL(this.#options.baseUrl.replace(/\/+$/, "") + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }
}

/** JSON can hold half of a character, which neither a URL nor a file can: it becomes U+FFFD. */
const HALF = /\\u[dD][89a-fA-F]/;
const whole = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;

const NOT_JSON = Symbol("not JSON");

function jsonOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return HALF.test(text) ? JSON.parse(text, whole) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return NOT_JSON;
    throw error;
  }
}

type Kind = { method?: HttpRequest<unknown>["method"]; repeatable?: boolean };

const isRead = ({ method = "GET" }: Kind): boolean => method === "GET";

/**
 * A server whose own database is busy may find no account for a valid token (Gitea on SQLite does):
 * a token is reported only after it was refused several times.
 */
const isDoubtful = ({ code }: OperationError): boolean => code === "http-unauthorised";

/** What was refused for its number or its sender was not carried out; any other POST may have been. */
function mayRepeat({ method = "GET", repeatable }: Kind, error: OperationError): boolean {
  if (error.code === "http-rate-limited" || isDoubtful(error)) return true;
  return repeatable ?? (method === "GET" || method === "PUT" || method === "DELETE");
}
