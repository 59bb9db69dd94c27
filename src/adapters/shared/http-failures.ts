// What can go wrong when a server is asked over HTTP, as errors: what was tried, where, what
// happened, and the next step. Texts of servers are cut and freed of secrets before they are shown.
import type { ZodError } from "zod";
import { oneLine } from "../../lib/one-line.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { HttpClientOptions, HttpRequest } from "./http-client.ts";
import { isRateLimit, rateLimited } from "./http-rate-limit.ts";

type Asked = Pick<HttpRequest<unknown>, "what">;

const SHOWN_MAX = 300;

export function failureOf(
  options: HttpClientOptions,
  request: Asked,
  answer: { status: number; text: string; headers?: Headers },
): OperationError {
  const { status, text, headers = new Headers() } = answer;
  const said = saying(options, text);
  const message = `cannot ${request.what}: ${options.server} answered ${status}${said}`;
  if (isRateLimit({ status, headers, text })) {
    const seconds = Number(headers.get("retry-after") ?? 60);
    return rateLimited(message, (Number.isFinite(seconds) ? seconds : 60) * 1000);
  }
  if (status >= 500 || status === 408) {
    const hint = "the server has a problem; Pawl tries again by itself";
    return new OperationError(message, { code: "http-server-error", hint, retryable: true });
  }
  if (status >= 300 && status < 400) {
    const to = headers.get("location") ?? "somewhere else";
    const hint = `it moved to ${redacted(options, to)}: correct the address in pawl.toml`;
    return new OperationError(message, { code: "http-moved", hint });
  }
  const { code, hint } = meaning(options, status);
  // GitHub names the permission that a fine-grained token lacks.
  const lacked = headers.get("x-accepted-github-permissions");
  const named = lacked === null ? "" : ` (this call needs ${lacked})`;
  return new OperationError(message, { code, hint: `${hint}${named}` });
}

function meaning(options: HttpClientOptions, status: number): { code: string; hint: string } {
  switch (status) {
    case 401:
      return { code: "http-unauthorised", hint: `it does not accept the token: ${options.access}` };
    case 403:
      return { code: "http-forbidden", hint: `the token may not do that: ${options.access}` };
    case 404:
      return {
        code: "not-found",
        hint: `it does not exist, or the token may not see it: ${options.access}`,
      };
    default:
      return { code: "http-refused", hint: "what it says above is the reason" };
  }
}

export function unreachable(
  options: HttpClientOptions,
  request: Asked,
  cause: { error: unknown; timeoutMs: number },
): OperationError {
  const { error, timeoutMs } = cause;
  if (error instanceof OperationError) {
    const message = `cannot ${request.what}: ${options.server}: ${error.message}`;
    return new OperationError(message, { code: error.code, cause: error });
  }
  const late = error instanceof Error && error.name === "TimeoutError";
  const what = late ? `gave no answer within ${timeoutMs} ms` : `cannot be reached${why(error)}`;
  return new OperationError(`cannot ${request.what}: ${options.server} ${what}`, {
    code: late ? "http-timeout" : "http-unreachable",
    hint: "check the address and the network; Pawl tries again by itself",
    retryable: true,
    cause: error,
  });
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function why(error: unknown): string {
  const inner = error instanceof Error ? error.cause : undefined;
  if (inner instanceof Error && "code" in inner) return ` (${String(inner.code)})`;
  return inner instanceof Error && inner.message !== "" ? ` (${inner.message})` : "";
}

/** A login page, a proxy's error page, a captive portal: the server itself is not to blame. */
export function notJson(
  options: HttpClientOptions,
  request: Asked,
  got: { text: string },
): OperationError {
  const html = /<(!doctype|html|head|body)\b/i.test(got.text.slice(0, 2000));
  const what = html ? "a web page instead of JSON" : "something that is not JSON";
  return new OperationError(
    `cannot ${request.what}: ${options.server} answered with ${what}${saying(options, got.text)}`,
    {
      code: html ? "http-html" : "http-shape",
      hint: "does the address lead to the server itself, and not to a proxy or a login page?",
      retryable: true,
    },
  );
}

export function wrongShape(
  options: HttpClientOptions,
  request: Asked,
  error: ZodError,
): OperationError {
  const [first] = error.issues;
  const where = first === undefined ? "" : ` at ${first.path.join(".") || "its top"}`;
  return new OperationError(
    `cannot ${request.what}: the answer of ${options.server} has an unexpected form${where}: ${first?.message ?? "unknown"}`,
    {
      code: "http-shape",
      hint: "is it a version that Pawl does not know? See docs/forges",
      cause: error,
    },
  );
}

function saying(options: HttpClientOptions, text: string): string {
  const said = saidIn(options, text);
  return said === "" ? "" : `: ${said}`;
}

/** What the server says in its own words, in one line; nothing of a web page. */
export function saidIn(options: HttpClientOptions, text: string): string {
  const said = messageIn(text);
  if (said === undefined) return "";
  const line = oneLine(redacted(options, said));
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line;
}

function messageIn(text: string): string | undefined {
  if (text.trimStart().startsWith("<")) return /<title>([^<]*)<\/title>/i.exec(text)?.[1];
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed) {
      return String(parsed.message);
    }
    return text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function redacted(options: HttpClientOptions, text: string): string {
  let clean = text;
  for (const secret of options.secrets) {
    if (secret !== "") clean = clean.replaceAll(secret, "[redacted]");
  }
  return clean;
}
