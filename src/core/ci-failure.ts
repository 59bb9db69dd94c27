// Whose fault a CI server's red result is: the code's, or the CI infrastructure's. Only failed
// steps are considered. A guess by exit code or log may be wrong, so that it counts only once.
export type FailedStep = {
  name: string;
  exitCode: number | null;
  /** What it printed last: at least its last 200 lines. */
  log: string;
};

/** `certain`: no change of the code can fix it, so that a second failure is blamed the same way. */
export type InfraCause = { message: string; certain: boolean };

const GIT_FAILED = 128;
/** Ended by SIGKILL: out of memory, or the machine went away. */
const KILLED = 137;
const LOG_LINES_MAX = 200;

const LOG_PATTERNS: readonly { pattern: RegExp; message: string }[] = [
  {
    pattern: /failed to connect to\b|could(?:n't| not) connect to (?:server|host)/i,
    message: "a connection could not be made",
  },
  { pattern: /could not resolve host\b/i, message: "a host could not be resolved" },
  { pattern: /connection timed out\b/i, message: "a connection timed out" },
  { pattern: /tls handshake timeout/i, message: "a TLS handshake timed out" },
  {
    pattern:
      /(?:docker|image).{0,20}\bpull\b.*\b(?:timeout|timed out|deadline exceeded)|failed to pull image/i,
    message: "an image could not be pulled",
  },
];

export function infraCause(failed: readonly FailedStep[]): InfraCause | undefined {
  for (const step of failed) {
    const cause = causeOf(step);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

function causeOf({ name, exitCode, log }: FailedStep): InfraCause | undefined {
  if (exitCode === GIT_FAILED && /^git|clone/i.test(name)) {
    return { message: `step ${name} could not fetch the code (exit code 128)`, certain: true };
  }
  if (exitCode === KILLED) {
    const message = `step ${name} was killed (exit code 137: out of memory, or its machine was lost)`;
    return { message, certain: false };
  }
  const recent = log.split("\n").slice(-LOG_LINES_MAX).join("\n");
  const found = LOG_PATTERNS.find(({ pattern }) => pattern.test(recent));
  return found === undefined
    ? undefined
    : { message: `step ${name}: ${found.message}`, certain: false };
}
