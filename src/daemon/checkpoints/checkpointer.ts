// Saves what living sessions write, while they write it: soon after a tool call or a phase, every
// 2 s while files change, and seldom where nothing does. It never takes more than a twentieth of
// the time, and what it does is never waited for. The chain on the hub's ref is the record; the
// journal only learns where it ends.
import { runAggregate, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { Loop } from "../engine/loop.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import { changed, dueAt, looked, newSaving, nudged, type Saving } from "./saving.ts";

/** Of all sessions together, so that saving never fills the machine. */
const AT_ONCE_MAX = 2;

/** After this many failures in a row a person is told. */
const FAILURES_TOLD = 3;

export type CheckpointerDeps = {
  ports: Ports;
  paths: Paths;
  loop: Loop;
  onError: (error: unknown) => void;
};

export class Checkpointer {
  readonly #deps: CheckpointerDeps;
  readonly #all = new Map<AggregateId, Saving>();
  readonly #waiting = new Set<Saving>();
  #busy = 0;
  #state: "off" | "on" | "stopped" = "off";

  constructor(deps: CheckpointerDeps) {
    this.#deps = deps;
  }

  /** Until then sessions are only noted: a passing command saves nothing. */
  start(): void {
    this.#state = "on";
    for (const saving of this.#all.values()) this.#begin(saving);
  }

  stop(): void {
    this.#state = "stopped";
    for (const saving of this.#all.values()) this.#end(saving);
  }

  /**
   * Begins to save a run's living session, and stops where it has ended. An agent that is being ended
   * may outlive that for hours, and goes on writing.
   */
  sync(run: Run): void {
    const id = runAggregate(run.project, run.id);
    const { session } = run;
    const isThere = session?.status === "live" || session?.status === "ending";
    const live = isThere ? session : undefined;
    const current = this.#all.get(id);
    if (current !== undefined && current.epoch !== live?.epoch) this.#end(current);
    if (live === undefined || this.#all.has(id) || this.#state === "stopped") return;
    const saving = newSaving({ id, run, epoch: live.epoch });
    this.#all.set(id, saving);
    if (this.#state === "on") this.#begin(saving);
  }

  /** Something happened that a checkpoint should follow: a tool call, a phase. */
  nudge(id: AggregateId, why: string): void {
    const saving = this.#all.get(id);
    if (saving === undefined) return;
    nudged(saving, why);
    this.#schedule(saving);
  }

  #isCurrent(saving: Saving): boolean {
    return this.#state === "on" && this.#all.get(saving.id) === saving;
  }

  #begin(saving: Saving): void {
    this.#watch(saving).catch(this.#deps.onError);
    // Changes from before the watch began.
    this.#changed(saving, "watch started");
  }

  async #watch(saving: Saving): Promise<void> {
    const { ports } = this.#deps;
    const { checkpoints } = await ports.project(saving.run.project);
    if (!this.#isCurrent(saving)) return;
    saving.watch = checkpoints?.watch({
      workspace: this.#workspace(saving),
      onChange: () => this.#changed(saving, "files changed"),
    });
  }

  #workspace({ run }: Saving): string {
    return this.#deps.paths.workspace(run.project, run.identity);
  }

  #end(saving: Saving): void {
    saving.watch?.close();
    saving.timer?.cancel();
    this.#waiting.delete(saving);
    this.#all.delete(saving.id);
  }

  #changed(saving: Saving, why: string): void {
    const isKnown = saving.why !== undefined;
    changed(saving, why);
    if (!isKnown) this.#schedule(saving);
  }

  /** One timer per session: for what is to be saved, else for the next look. */
  #schedule(saving: Saving): void {
    if (saving.isBusy || !this.#isCurrent(saving)) return;
    const { clock } = this.#deps.ports;
    const now = clock.monotonicMs();
    saving.timer?.cancel();
    saving.timer = clock.after(Math.max(0, dueAt(saving, now) - now), () => this.#pump(saving));
  }

  #pump(saving: Saving): void {
    if (saving.isBusy || !this.#isCurrent(saving)) return;
    if (this.#busy >= AT_ONCE_MAX) {
      this.#waiting.add(saving);
      return;
    }
    this.#busy += 1;
    saving.isBusy = true;
    this.#save(saving)
      .catch((error: unknown) => {
        if (this.#isCurrent(saving)) this.#deps.onError(error);
      })
      .finally(() => {
        this.#busy -= 1;
        saving.isBusy = false;
        this.#schedule(saving);
        const [next] = this.#waiting;
        if (next === undefined) return;
        this.#waiting.delete(next);
        this.#pump(next);
      });
  }

  async #save(saving: Saving): Promise<void> {
    const { ports, loop } = this.#deps;
    const { clock } = ports;
    const { run, why: reason = "look" } = saving;
    const { identity } = run;
    const isLook = saving.why === undefined;
    // What changes from here on is for the next one.
    Object.assign(saving, { why: undefined, isUrgent: false });
    const began = clock.monotonicMs();
    const took = (): { nowMs: number; tookMs: number } => {
      const nowMs = clock.monotonicMs();
      return { nowMs, tookMs: nowMs - began };
    };
    try {
      const { git } = await ports.project(run.project);
      const workspace = this.#workspace(saving);
      // A look is there to find what was missed.
      const quick = saving.watch === undefined || isLook ? {} : { quick: true as const };
      const outcome = await git.checkpoint({ workspace, identity, reason, ...quick });
      looked(saving, { ...took(), found: outcome.kind === "saved" ? "change" : "nothing" });
      if (outcome.kind !== "saved" || this.#state !== "on") return;
      const event = { kind: "checkpoint-made", at: clock.now(), outcome } as const;
      await loop.submit({ to: saving.id, event });
    } catch (error) {
      looked(saving, { ...took(), found: "failure" });
      if (saving.failures === FAILURES_TOLD && this.#state === "on") {
        const why = error instanceof Error ? error.message : String(error);
        await loop.submit({ to: saving.id, event: { kind: "save-failed", at: clock.now(), why } });
      }
      throw error;
    }
  }
}
