// Invariant (d): at most one live session per identity, and stale epochs change nothing. And the
// other way round: nobody is said to be gone who is there.
import type { Run } from "../../src/core/run/run.ts";
import type { Process, World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function oneLife(world: World): Checker {
  const name = "one-life";
  const ordinals = new Map<string, number>();
  const endings = new Set<string>();
  const written = new Map<string, Set<string>>();

  function started(pid: number, identity: string): void {
    for (const other of world.processes.values()) {
      if (other.pid === pid || !(other.alive || other.leftover)) continue;
      const mine = world.processes.get(pid);
      if (other.identity !== identity || other.project !== mine?.project) continue;
      world.fail(
        name,
        `two lives of ${identity} of ${other.project} at once: epochs ${other.epoch} and ${mine?.epoch}`,
      );
    }
  }

  /** A phase counts only where the current epoch wrote it. */
  function phase(run: Run): void {
    const id = `${run.project}/${run.id}`;
    const ordinal = run.phase?.ordinal ?? 0;
    if (ordinal === (ordinals.get(id) ?? 0)) return;
    ordinals.set(id, ordinal);
    const epoch = run.session?.epoch ?? 0;
    const texts = written.get(`${id}/${epoch}`);
    const said = `PHASE:${run.phase?.phase}`;
    const known = [...(texts ?? [])].some((text) =>
      text.replace("needs_human", "escalate").startsWith(said),
    );
    const stale = /stale epoch (\d+)/.exec(run.phase?.reason ?? "")?.[1];
    if (!known || (stale !== undefined && Number(stale) !== epoch)) {
      world.fail(
        name,
        `${id} took ${said} (${run.phase?.reason}) for epoch ${epoch}, which never wrote it`,
      );
    }
  }

  /** Pawl says that an agent went by itself: then it is gone. */
  function ending(run: Run): void {
    const { session } = run;
    if (session?.status !== "ending") return;
    const id = `${run.project}/${run.id}/${session.epoch}`;
    if (endings.has(id)) return;
    endings.add(id);
    const byItself = ["crashed", "incomplete"].includes(session.verdict ?? "");
    if (byItself && processOf(world, run, session.epoch)?.alive === true) {
      world.fail(name, `${id} is called ${session.verdict}, but it is alive`);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "process-started") started(fact.pid, fact.identity);
      else if (fact.kind === "phase-written") {
        const id = `${fact.project}/${fact.run}/${fact.epoch}`;
        written.set(id, (written.get(id) ?? new Set()).add(fact.text));
      } else if (fact.kind === "journaled") {
        for (const { state } of fact.journaled.states) {
          if (state.kind !== "run") continue;
          phase(state);
          ending(state);
        }
      }
    },
  };
}

function processOf(world: World, run: Run, ...[epoch]: [number]): Process | undefined {
  const { pid } = world.folder(world.paths.session(run.project, run.id, epoch));
  return pid === undefined ? undefined : world.processes.get(pid);
}
