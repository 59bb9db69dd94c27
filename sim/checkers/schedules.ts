// Schedules: what was missed is caught up on once, and none ever stops
// coming. What is counted is what was really started.
import { CHORE_EVERY_MS } from "../chore.ts";
import type { Fact } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

/** One that is due, one that is caught up on, and one more that is due at the new time. */
const STARTS_MAX = 3;
/** Each jump of the clock brings one to catch up on, and one that is due sooner. */
const STARTS_PER_JUMP = 2;
/** A command may take its ten minutes, and a start may be delayed or skipped. */
const LATE_MS = 6 * CHORE_EVERY_MS;

/** Longer ago, the daemon may have given up on hearing of its end. */
const TOGETHER_MS = 5 * 60_000;

export const schedules = (world: World): Checker => new Chores(world);

class Chores implements Checker {
  readonly name = "schedules";
  readonly #world: World;
  /** By project: when its chore and its plugin were started. */
  readonly #starts = new Map<string, number[]>();

  readonly #running = new Map<string, number>();
  /** When the clock of the machine jumped, and by how much in all. */
  readonly #jumps: number[] = [];
  #jumpedMs: number;

  constructor(world: World) {
    this.#world = world;
    this.#jumpedMs = world.clock.now() - world.clock.monotonicMs();
  }

  hear(fact: Fact): void {
    this.#lookAtClock();
    if (fact.kind === "command-started") this.#started(fact.folder);
    else if (fact.kind === "command-ended") this.#running.delete(projectOf(fact.folder) ?? "");
  }

  atEnd(): void {
    if (!this.#world.options.chores) return;
    const now = this.#world.clock.monotonicMs();
    if (now < LATE_MS) return;
    for (const { name } of this.#world.projects.values()) {
      for (const what of [name, `plugin of ${name}`]) {
        const last = this.#starts.get(what)?.at(-1) ?? 0;
        if (now - last > LATE_MS) this.#fail(`the chore of ${what} does not come any more`);
      }
    }
  }

  #lookAtClock(): void {
    const now = this.#world.clock.monotonicMs();
    const jumpedMs = this.#world.clock.now() - now;
    if (jumpedMs === this.#jumpedMs) return;
    this.#jumpedMs = jumpedMs;
    this.#jumps.push(now);
  }

  #started(folder: string): void {
    const project = projectOf(folder);
    if (project === undefined) return;
    const now = this.#world.clock.monotonicMs();
    const since = this.#running.get(project);
    if (since !== undefined && now - since < TOGETHER_MS)
      this.#fail(`the chore of ${project} was started while it was under way`);
    this.#running.set(project, now);
    const recent = (this.#starts.get(project) ?? []).filter(
      (at) => now - at < CHORE_EVERY_MS - 60_000,
    );
    const starts = [...recent, now];
    this.#starts.set(project, starts);
    const jumps = this.#jumps.filter((at) => now - at < CHORE_EVERY_MS).length;
    if (starts.length > Math.max(STARTS_MAX, 1 + STARTS_PER_JUMP * jumps))
      this.#fail(`the chore of ${project} was started ${starts.length} times in a row`);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}

/** Of the folder of a command that a schedule or a plugin started. */
function projectOf(folder: string): string | undefined {
  const [, project, what = ""] = /\/projects\/([^/]+)\/(.*)/.exec(folder) ?? [];
  if (what.startsWith("plugins/sweep/")) return `plugin of ${project}`;
  return what.includes("schedule-chore") ? project : undefined;
}
