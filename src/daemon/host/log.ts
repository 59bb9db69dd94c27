// The daemon's own log: JSON lines, written at once. Secrets are taken out of every text, and fields
// that are named like one are not written at all.
import { pino, destination } from "pino";
import { redactDeep } from "../../core/redact.ts";

export type Log = {
  info(facts: Record<string, unknown>, text: string): void;
  warn(facts: Record<string, unknown>, text: string): void;
  error(facts: Record<string, unknown>, text: string): void;
};

const SECRETS = ["*.token", "*.password", "*.secret", "*.authorization", "token", "password"];

/** Its folder is there. */
export function createLog(path: string, redact: (text: string) => string): Log {
  const to = destination({ dest: path, sync: true, mode: 0o600 });
  const log = pino(
    { base: { pid: process.pid }, redact: SECRETS, timestamp: pino.stdTimeFunctions.isoTime },
    to,
  );
  const clean = (facts: Record<string, unknown>): object => redactDeep(facts, redact) as object;
  return {
    info: (facts, text) => log.info(clean(facts), redact(text)),
    warn: (facts, text) => log.warn(clean(facts), redact(text)),
    error: (facts, text) => log.error(clean(facts), redact(text)),
  };
}
