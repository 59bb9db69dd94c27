// Invariant (d): at most one live session per identity, and stale epochs change nothing. And the
// other way round: no running session is reported as gone.
import type { Run } from "../../src/core/run/run.ts";
import type { Fact } from "../fact.ts";
import type { Process, World } from "../world.ts";
import type { Checker } from "./checker.ts";

export const oneLife = (world: World): Checker => new OneLife(world);

class OneLife implements Checker {
  readonly name = "one-life";
  readonly #world: World;
  readonly #ordinals = new Map<string, number>();
  readonly #endings = new Set<string>();
  readonly #lives = new Set<string>();
  readonly #written = new Map<string, Set<string>>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind === "process-started") this.#started(fact.pid);
    else if (fact.kind === "phase-written") {
      const id = `${fact.project}/${fact.run}/${fact.epoch}`;
      this.#written.set(id, (this.#written.get(id) ?? new Set()).add(fact.text));
    } else if (fact.kind === "journaled") {
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "run") continue;
        this.#phase(state);
        this.#ending(state);
      }
    }
  }

  #started(pid: number): void {
    const mine = this.#world.processes.get(pid);
    if (mine === undefined) return;
    const life = `epoch ${mine.epoch} of ${mine.identity} of ${mine.project}`;
    if (this.#lives.has(life)) this.#fail(`${life} begins twice`);
    this.#lives.add(life);
    for (const other of this.#world.processes.values()) {
      if (other === mine || !(other.alive || other.leftover)) continue;
      if (other.identity !== mine.identity || other.project !== mine.project) continue;
      const who = `${mine.identity} of ${mine.project}`;
      this.#fail(`two lives of ${who} at once: epochs ${other.epoch} and ${mine.epoch}`);
    }
  }

  /** A phase counts only where the current epoch wrote it. */
  #phase(run: Run): void {
    const id = `${run.project}/${run.id}`;
    const ordinal = run.phase?.ordinal ?? 0;
    if (run.phase === undefined || ordinal === (this.#ordinals.get(id) ?? 0)) return;
    this.#ordinals.set(id, ordinal);
    const epoch = run.session?.epoch ?? 0;
    const said = `PHASE:${run.phase.phase}`;
    const texts = [...(this.#written.get(`${id}/${epoch}`) ?? [])];
    const known = texts.some((text) => text.replace("needs_human", "escalate").startsWith(said));
    const stale = /stale epoch (\d+)/.exec(run.phase.reason ?? "")?.[1];
    if (known && (stale === undefined || Number(stale) === epoch)) return;
    this.#fail(`${id} took ${said} for epoch ${epoch}, which never wrote it`);
  }

  /** Pawl says that an agent went by itself: then it is gone. */
  #ending(run: Run): void {
    const { session } = run;
    if (session?.status !== "ending") return;
    const id = `${run.project}/${run.id}/${session.epoch}`;
    if (this.#endings.has(id)) return;
    this.#endings.add(id);
    const byItself = ["crashed", "incomplete"].includes(session.verdict ?? "");
    // One that has stopped and answers no reminder is ended by Pawl, and asked about.
    const { stage } = run;
    if (stage.kind === "escalated" && stage.escalation.reason.startsWith("idle_prompt")) return;
    if (!byItself || this.#processOf(run, session.epoch)?.alive !== true) return;
    this.#fail(`${id} is called ${session.verdict}, but it is alive`);
  }

  #processOf(run: Run, epoch: number): Process | undefined {
    const { paths, processes } = this.#world;
    const { pid } = this.#world.folder(paths.session(run.project, run.id, epoch));
    return pid === undefined ? undefined : processes.get(pid);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}
