// When projects are looked at: soon after something is known to have changed, and slowly otherwise.
// What a look sees is look-at-project.ts's.
import type { ProjectName } from "../core/ids.ts";
import { describeError } from "../lib/operation-error.ts";
import type { Timer } from "../ports/clock.ts";
import { lookAtProject, type LookDeps } from "./look-at-project.ts";

const SLOW_MS = 30_000;

export type Observe = {
  /** Something of this project may have changed: look soon. */
  nudge(project: ProjectName): void;
  /** Looks now, and resolves when what was seen is in the journal. */
  look(project: ProjectName): Promise<void>;
  /** Why the last look at a project failed, in a sentence; undefined where it did not. */
  trouble(project: ProjectName): string | undefined;
  stop(): void;
};

export type ObserveDeps = LookDeps & {
  scope: (project: ProjectName) => boolean;
  onError: (error: unknown) => void;
};

export const createObserve = (deps: ObserveDeps): Observe => new Observer(deps);

class Observer implements Observe {
  readonly #deps: ObserveDeps;
  readonly #underWay = new Map<ProjectName, { promise: Promise<void>; again: boolean }>();
  readonly #troubles = new Map<ProjectName, string>();
  #timer: Timer;
  #stopped = false;

  constructor(deps: ObserveDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.after(SLOW_MS, () => this.#slow());
  }

  nudge(project: ProjectName): void {
    if (!this.#deps.scope(project)) return;
    this.look(project).catch(this.#deps.onError);
  }

  /** One look at a time per project; a call during a look leads to another one. */
  look(project: ProjectName): Promise<void> {
    const current = this.#underWay.get(project);
    if (current !== undefined) {
      current.again = true;
      return current.promise;
    }
    const entry = { promise: Promise.resolve(), again: false };
    this.#underWay.set(project, entry);
    entry.promise = this.#repeat(project, entry);
    return entry.promise;
  }

  trouble(project: ProjectName): string | undefined {
    return this.#troubles.get(project);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.cancel();
  }

  async #repeat(project: ProjectName, entry: { again: boolean }): Promise<void> {
    try {
      do {
        entry.again = false;
        if (!this.#stopped) await lookAtProject(this.#deps, project);
        this.#troubles.delete(project);
      } while (entry.again && !this.#stopped);
    } catch (error) {
      const { message, hint } = describeError(error);
      this.#troubles.set(project, hint === undefined ? message : `${message} (${hint})`);
      throw error;
    } finally {
      this.#underWay.delete(project);
    }
  }

  #slow(): void {
    if (this.#stopped) return;
    this.#all()
      .catch(this.#deps.onError)
      .finally(() => {
        if (!this.#stopped) this.#timer = this.#deps.clock.after(SLOW_MS, () => this.#slow());
      });
  }

  /** One project that cannot be looked at keeps nobody from the others. */
  async #all(): Promise<void> {
    for (const { state } of await this.#deps.store.aggregates()) {
      if (state.kind !== "project" || !this.#deps.scope(state.name)) continue;
      await this.look(state.name).catch(this.#deps.onError);
    }
  }
}
