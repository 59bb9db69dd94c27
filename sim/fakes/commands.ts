// Commands of the simulated world: each is started once, lives on while daemons come and go, and
// takes its time. A machine never dies here, so that one is lost only where a fault says so.
import { OperationError } from "../../src/lib/operation-error.ts";
import { LET_GO, type CommandOutcome, type Commands } from "../../src/ports/commands.ts";
import type { Life } from "../life.ts";
import type { World } from "../world.ts";

const SECOND_MS = 1000;
const LONG_MS = 20 * 60 * SECOND_MS;
const PRINTED = { output: "printed", errors: "" };

export type SimCommand = {
  folder: string;
  endsAt: number;
  end: CommandOutcome;
  /** It was ended before its time. */
  isCut: boolean;
  isEndTold: boolean;
};

export function createFakeCommands(life: Life): Commands {
  const { world } = life;
  const { clock, commands, unendedCommands, faults, prng } = world;

  function begin(folder: string, timeoutMs: number): SimCommand {
    // Most are short.
    const share = prng.ci.next() ** 3;
    const wantedMs = 1 + Math.floor(share * (faults.on ? LONG_MS : SECOND_MS));
    const endsAt = clock.monotonicMs() + Math.min(wantedMs, timeoutMs);
    const code = faults.strikes("commandFails") ? 1 : 0;
    const lost = faults.strikes("commandLost");
    const own: CommandOutcome = lost
      ? { kind: "lost", ...PRINTED }
      : { kind: "exited", code, ...PRINTED };
    const end = wantedMs > timeoutMs ? ({ kind: "timed-out", ...PRINTED } as const) : own;
    const begun = { folder, endsAt, end, isCut: false, isEndTold: false };
    commands.set(folder, begun);
    unendedCommands.set(folder, begun);
    world.tell({ kind: "command-started", folder });
    // In truth, whether or not a daemon is there to record it.
    clock.after(endsAt - clock.monotonicMs(), () => tellEnd(world, begun));
    return begun;
  }

  return {
    run: async ({ folder, timeoutMs, signal }) => {
      const command = commands.get(folder) ?? begin(folder, timeoutMs);
      if (faults.strikes("commandAlone")) life.kill("commands.begun");
      await life.pass("commands.begun");
      const leftMs = command.endsAt - clock.monotonicMs();
      const aborted = new Promise<"aborted">((resolve) => {
        signal.addEventListener("abort", () => resolve("aborted"), { once: true });
      });
      const ended = signal.aborted
        ? "aborted"
        : await Promise.race([clock.sleep(Math.max(0, leftMs)), aborted]);
      if (ended === "aborted") {
        if (signal.reason !== LET_GO) endNow(world, command);
        throw new OperationError(`the command in ${folder} was cancelled`, { code: "aborted" });
      }
      tellEnd(world, command);
      return command.end;
    },
    isBegun: async (folder) => commands.has(folder),
    clear: async (folder) => {
      for (const [path, command] of unendedCommands) {
        if (path.startsWith(`${folder}/`)) endNow(world, command);
        if (command.isEndTold) unendedCommands.delete(path);
      }
    },
  };
}

/**
 * Told once, and before a daemon can act on the end. Timers that are due together fire in any order:
 * the one for which a daemon waits may fire before the one of the world.
 */
function tellEnd(world: World, command: SimCommand): void {
  const { folder, endsAt, end, isCut } = command;
  if (command.isEndTold || endsAt > world.clock.monotonicMs()) return;
  command.isEndTold = true;
  const ok = !isCut && end.kind === "exited" && end.code === 0;
  world.tell({ kind: "command-ended", folder, ok });
}

/** Ends it before its time, if it still runs. */
function endNow(world: World, command: SimCommand): void {
  const now = world.clock.monotonicMs();
  command.isCut ||= command.endsAt > now;
  command.endsAt = Math.min(command.endsAt, now);
  tellEnd(world, command);
}
