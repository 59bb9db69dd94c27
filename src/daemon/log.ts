// The daemon's own log: JSON lines, written at once, secrets taken out by name.
import { pino, destination } from "pino";

export type Log = {
  info(facts: Record<string, unknown>, text: string): void;
  warn(facts: Record<string, unknown>, text: string): void;
  error(facts: Record<string, unknown>, text: string): void;
};

const SECRETS = ["*.token", "*.password", "*.secret", "*.authorization", "token", "password"];

export function createLog(path: string): Log {
  const to = destination({ dest: path, sync: true, mkdir: true, mode: 0o600 });
  return pino(
    { base: { pid: process.pid }, redact: SECRETS, timestamp: pino.stdTimeFunctions.isoTime },
    to,
  );
}
