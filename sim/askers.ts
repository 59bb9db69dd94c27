// Who asks for tasks in the simulated world, and judges what comes back: an answer that is right is
// accepted, any other is refused, sooner or later; some are no longer wanted. They act through the
// engine's loop, and what they said is told to the checkers.
import { projectAggregate, runAggregate, type AggregateId } from "../src/core/ids.ts";
import type { Event } from "../src/core/event.ts";
import type { Run } from "../src/core/run/run.ts";
import type { Task } from "../src/core/task.ts";
import type { Engine } from "../src/daemon/engine/engine.ts";
import { OperationError } from "../src/lib/operation-error.ts";
import type { SimProject, World } from "./world.ts";

const MINUTE_MS = 60_000;
const ROUND_MS = 10 * MINUTE_MS;
const ROUNDS_PER_HOUR = 6;
const TASKS_MAX = 60;
/** Few names, so that identities are busy. */
const KINDS = [
  { role: "planner", name: "1", output: "result" },
  { role: "planner", name: "2", output: "result" },
  { role: "gardener", name: "main", output: "either" },
] as const;

/** What a right answer holds. */
export const RIGHT = "right";

export function startAskers(world: World, engine: () => Engine | undefined): void {
  if ((world.options.tasks ?? 0) > 0) new Askers(world, engine).begin();
}

class Askers {
  readonly #world: World;
  readonly #engine: () => Engine | undefined;
  #asked = 0;

  constructor(world: World, engine: () => Engine | undefined) {
    this.#world = world;
    this.#engine = engine;
  }

  begin(): void {
    const waitMs = 1 + this.#world.prng.tasks.int(2 * ROUND_MS);
    this.#world.clock.after(waitMs, () => {
      this.#round()
        .catch((error: unknown) => {
          // The journal may be full, or the daemon gone: tried again later.
          if (error instanceof OperationError) return;
          this.#world.fail("simulator", `askers broke: ${String(error)}`);
        })
        .finally(() => this.begin());
    });
  }

  async #round(): Promise<void> {
    const { faults, prng, options, projects, store } = this.#world;
    for (const project of projects.values()) {
      const wanted = faults.on && prng.tasks.chance((options.tasks ?? 0) / ROUNDS_PER_HOUR);
      if (wanted && this.#asked < TASKS_MAX) await this.#ask(project);
    }
    for (const { state } of await store.aggregates()) {
      if (state.kind === "run" && state.stage.kind === "judging") await this.#judge(state);
    }
  }

  async #ask(project: SimProject): Promise<void> {
    this.#asked += 1;
    const { prng } = this.#world;
    const task: Task = {
      by: projectAggregate(project.name),
      key: `task ${this.#asked}`,
      ...prng.tasks.pick(KINDS),
      title: `Task ${this.#asked}`,
      brief: "Do it.",
      at: prng.tasks.chance(0.5) ? { kind: "target" } : { kind: "commit", commit: project.target },
    };
    await this.#submit(task.by, { kind: "task-requested", at: this.#world.clock.now(), task });
    if (!prng.tasks.chance(0.1)) return;
    this.#world.clock.after(prng.tasks.int(60 * MINUTE_MS), () => {
      const at = this.#world.clock.now();
      this.#submit(task.by, { kind: "task-withdrawn", at, key: task.key, why: "no longer" }).catch(
        (error: unknown) => {
          if (!(error instanceof OperationError)) throw error;
        },
      );
    });
  }

  async #judge(run: Run): Promise<void> {
    if (run.work.kind !== "task") return;
    const { task, result } = run.work;
    const at = this.#world.clock.now();
    // Nothing is an answer where a branch might have been one.
    const isRight = result === undefined || (result.kind === "text" && result.text === RIGHT);
    const to = runAggregate(run.project, run.id);
    if (isRight) await this.#submit(to, { kind: "task-accepted", at, key: task.key });
    else await this.#submit(to, { kind: "task-refused", at, key: task.key, problem: "wrong" });
  }

  async #submit(to: AggregateId, event: Event): Promise<void> {
    const engine = this.#engine();
    if (engine === undefined) return;
    this.#world.tell({ kind: "person-did", what: `an asker: ${event.kind} to ${to}` });
    await Promise.race([engine.loop.submit({ to, event }), this.#world.clock.sleep(MINUTE_MS)]);
  }
}
