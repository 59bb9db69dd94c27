// Commands of the simulated world: each is started once, lives on while daemons come and go, and
// takes its time. A machine never dies here, so that one is lost only where a fault says so.
import { OperationError } from "../../src/lib/operation-error.ts";
import { LET_GO, type CommandOutcome, type Commands } from "../../src/ports/commands.ts";
import type { Life } from "../life.ts";

const SECOND_MS = 1000;
const LONG_MS = 20 * 60 * SECOND_MS;
const PRINTED = { output: "printed", errors: "" };

export type SimCommand = { endsAt: number; end: CommandOutcome };

export function createFakeCommands(life: Life): Commands {
  const { world } = life;
  const { clock, commands, unendedCommands, faults, prng } = world;

  function begin(folder: string): SimCommand {
    // Most are short.
    const share = prng.ci.next() ** 3;
    const endsAt = clock.monotonicMs() + 1 + Math.floor(share * (faults.on ? LONG_MS : SECOND_MS));
    const code = faults.strikes("commandFails") ? 1 : 0;
    const lost = faults.strikes("commandLost");
    const end: CommandOutcome = lost
      ? { kind: "lost", ...PRINTED }
      : { kind: "exited", code, ...PRINTED };
    const begun = { endsAt, end };
    commands.set(folder, begun);
    unendedCommands.set(folder, begun);
    world.tell({ kind: "command-started", folder });
    return begun;
  }

  /** Ended before its time. */
  function endNow(folder: string, command: SimCommand): void {
    if (command.endsAt <= clock.monotonicMs()) return;
    command.endsAt = clock.monotonicMs();
    world.tell({ kind: "command-ended", folder, ok: false });
  }

  return {
    run: async ({ folder, timeoutMs, signal }) => {
      const command = commands.get(folder) ?? begin(folder);
      await life.pass("commands.begun");
      const leftMs = command.endsAt - clock.monotonicMs();
      if (leftMs > timeoutMs) command.end = { kind: "timed-out", ...PRINTED };
      const aborted = new Promise<"aborted">((resolve) => {
        signal.addEventListener("abort", () => resolve("aborted"), { once: true });
      });
      const waitMs = Math.max(0, Math.min(leftMs, timeoutMs));
      const ended = signal.aborted ? "aborted" : await Promise.race([clock.sleep(waitMs), aborted]);
      if (ended === "aborted") {
        if (signal.reason !== LET_GO) endNow(folder, command);
        throw new OperationError(`the command in ${folder} was cancelled`, { code: "aborted" });
      }
      const ok = command.end.kind === "exited" && command.end.code === 0;
      world.tell({ kind: "command-ended", folder, ok });
      return command.end;
    },
    isBegun: async (folder) => commands.has(folder),
    clear: async (folder) => {
      for (const [path, command] of unendedCommands) {
        if (command.endsAt <= clock.monotonicMs()) unendedCommands.delete(path);
        else if (path.startsWith(`${folder}/`)) endNow(path, command);
      }
    },
  };
}
