// The one class for operational failures: network, exit codes, disk, a missing tool, and requests
// that cannot be fulfilled. Code that can handle one catches it. All others reach
// daemon/engine/outbox.ts (tried again, or reported to the core as `effect-failed`), the API (an
// answer with its code and hint) or cli/program.ts (stderr and an exit code).
export class OperationError extends Error {
  override readonly name = "OperationError";
  /** A stable word a program can switch on, e.g. `push-rejected`. */
  readonly code: string;
  /** The next step for a person, as a sentence. */
  readonly hint: string | undefined;
  /** True where the same call may succeed later without any change by a person. */
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

/** A server outside Pawl is down: it will answer again, in hours rather than seconds. */
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
