import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import { terminalContract } from "../../src/ports/terminal.contract.ts";
import { exited, isRunning, makeWorld } from "../support/terminal-world.ts";

/** Waits for a code to end with. */
const AGENT = 'while [ ! -e "$OUT/leave" ]; do sleep 0.02; done; exit "$(cat "$OUT/leave")"';

terminalContract("tmux", async () => {
  const world = await makeWorld();
  return {
    terminal: world.terminal,
    start: (run) => world.start({ run, script: AGENT }),
    leave: async ({ dir, spawned }, code) => {
      await writeFile(join(dir, "leave.new"), String(code));
      await rename(join(dir, "leave.new"), join(dir, "leave"));
      await exited(world.files, dir);
      // The record comes first; its writer is gone a moment later.
      await vi.waitFor(
        async () => {
          if (await isRunning(spawned.process.pid)) throw new Error("it is still there");
        },
        { timeout: 30_000 },
      );
    },
    exitOf: async ({ dir }) => (await world.files.read({ path: dir })).exit,
    finish: (work) => work,
    close: () => world.close(),
  };
});
