// For commands that pass by: whatever goes wrong is said to the user, and written nowhere. A file
// of its own, because pino takes 15 ms to load.
import type { Log } from "./log.ts";

export const noLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
