// The one class for operational failures: network, exit codes, disk, a tool that is missing, and
// what somebody asked for that cannot be. Whoever knows what it means catches it on the way; what
// is left reaches daemon/engine/outbox.ts (tried again, or told to the core as `effect-failed`), the API
// (an answer with its code and hint) or cli/program.ts (stderr and an exit code).
export class OperationError extends Error {
  override readonly name = "OperationError";
  /** A stable word a program can switch on, e.g. `push-rejected`. */
  readonly code: string;
  /** The next step for a person, as a sentence. */
  readonly hint: string | undefined;
  /** True where the same call may go through later without anybody changing anything. */
  readonly retryable: boolean;

  constructor(
    message: string,
    options: { code: string; hint?: string | undefined; retryable?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
  }
}

/** Somebody else's server does not answer as it should: it will again, in hours rather than seconds. */
export const isOutage = (error: unknown): boolean =>
  error instanceof OperationError && error.retryable && OUTAGES.has(error.code);

const OUTAGES: ReadonlySet<string> = new Set([
  "http-unreachable",
  "http-timeout",
  "http-server-error",
  "http-rate-limited",
  "http-html",
  "upstream-unreachable",
]);

/** What an error says to a person: its message, and its hint where it has one. */
export function describeError(error: unknown): { code: string; message: string; hint?: string } {
  if (error instanceof OperationError) {
    const base = { code: error.code, message: error.message };
    return error.hint === undefined ? base : { ...base, hint: error.hint };
  }
  if (error instanceof Error) return { code: "unexpected", message: error.message };
  return { code: "unexpected", message: String(error) };
}
