// Waits for q, Escape or Ctrl-C while a command fills the screen. Keys are read one by one, and not
// shown, for as long as it waits.
import process from "node:process";

// oxlint-disable-next-line no-control-regex
const QUIT = /^[qQ\u0003\u0004\u001B]$/;

export type QuitKey = { pressed: Promise<void>; close(): void };

export function quitKey(): QuitKey {
  const { stdin } = process;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onData = (keys: Buffer): void => {
    if (QUIT.test(keys.toString("latin1"))) resolve();
  };
  const onSignal = (): void => resolve();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, onSignal);
  if (stdin.isTTY) {
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("data", onData);
  }
  return {
    pressed: promise,
    close: () => {
      for (const signal of signals) process.off(signal, onSignal);
      if (!stdin.isTTY) return;
      stdin.off("data", onData);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
