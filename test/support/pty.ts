// A real terminal of a given size for one command: a private tmux server, whose pane is read as a
// person sees it. It is ended by its socket.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Factory } from "./pawl.ts";

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");

export type Pty = {
  /** The lines on the screen, without trailing spaces. */
  screen(): string[];
  resize(columns: number, rows: number): void;
  type(keys: string): void;
  /** Whether the command still runs. */
  isRunning(): boolean;
  [Symbol.dispose](): void;
};

/** Each has a socket of its own: a server that was told to end may still hold the last one. */
let opened = 0;

export function openPty(
  { root, repo, env }: Pick<Factory, "root" | "repo" | "env">,
  size: { columns: number; rows: number },
  args: readonly string[],
): Pty {
  opened += 1;
  const socket = join(root, `pty-${opened}.sock`);
  const tmux = (...words: string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], { env, encoding: "utf8" });
  const quoted = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(" ");
  const { columns, rows } = size;
  const place = ["-x", String(columns), "-y", String(rows), "-c", repo];
  tmux("new-session", "-d", ...place, `${quoted}; printf '\\nEXIT %s\\n' $?; exec sleep 600`);
  const screen = (): string[] =>
    tmux("capture-pane", "-p")
      .split("\n")
      .slice(0, -1)
      .map((line) => line.trimEnd());
  return {
    screen,
    resize: (width, height) =>
      void tmux("resize-window", "-x", String(width), "-y", String(height)),
    type: (keys) => void tmux("send-keys", keys),
    isRunning: () => !screen().some((line) => line.startsWith("EXIT ")),
    [Symbol.dispose]: () => void spawnSync("tmux", ["-S", socket, "kill-server"], { env }),
  };
}
