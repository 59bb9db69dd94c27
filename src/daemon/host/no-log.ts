// For short commands: a problem is reported to the user, and not logged. A separate file, because
// pino takes 15 ms to load.
import type { Log } from "./log.ts";

export const noLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
