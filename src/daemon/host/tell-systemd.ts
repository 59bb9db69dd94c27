// Tells systemd that the daemon serves and is well, where it runs as a unit with a watchdog. By
// systemd's own program: Node has no sockets of this kind.
import { execFile } from "node:child_process";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "./log.ts";

const EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** Does nothing outside of a unit. */
export function tellSystemd(clock: Clock, log: Log): { close(): Promise<void> } {
  const socket = process.env["NOTIFY_SOCKET"];
  if (socket === undefined || socket === "") return { close: async () => undefined };
  const env = { NOTIFY_SOCKET: socket, PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
  const say = (...words: string[]): void => {
    execFile("systemd-notify", words, { env, timeout: TIMEOUT_MS }, (error) => {
      if (error !== null) log.error({ error: error.message }, "cannot tell systemd");
    });
  };
  say("--ready");
  let timer = clock.after(EVERY_MS, beat);
  function beat(): void {
    say("WATCHDOG=1");
    timer = clock.after(EVERY_MS, beat);
  }
  return { close: async () => timer.cancel() };
}
