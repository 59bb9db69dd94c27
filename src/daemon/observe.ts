// When projects are looked at: soon after something is known to have changed, and slowly otherwise.
// What a look sees is look-at-project.ts's. A forge over a network is asked the less, the less goes
// on: a project where nobody works costs under 60 requests an hour, those of git included.
import type { ProjectName } from "../core/ids.ts";
import type { Project } from "../core/project/project.ts";
import { describeError } from "../lib/operation-error.ts";
import type { Timer } from "../ports/clock.ts";
import type { Input } from "./loop.ts";
import { newKnownIssues, type KnownIssues } from "./backlog-facts.ts";
import { lookAtProject, type LookDeps } from "./look-at-project.ts";
import type { Hint } from "./webhooks/delivery.ts";
import { Hearing } from "./webhooks/hearing.ts";

const SLOW_MS = 30_000;
/** Where nobody works: one request a look, and two more when upstream's target is looked at too. */
const IDLE_FORGE_MS = 90_000;
const IDLE_TARGET_MS = 600_000;
/** Where the forge tells by itself, a look is a safety net. */
const TOLD_MS = { idle: 3_600_000, active: 600_000 };
/** Seen by a look that nobody asked for, these mean that the forge did not tell of something. */
const NEWS: ReadonlySet<string> = new Set([
  "issues-observed",
  "issue-observed",
  "target-observed",
  "project-configured",
  "escalation-answered",
]);
/** A tick of the clock may come a little early. */
const EARLY_MS = 1000;

export type Observe = {
  /** Something of this project may have changed: look soon. */
  nudge(project: ProjectName): void;
  /** The forge says that something changed. */
  heard(project: ProjectName, hint: Hint): void;
  /** Whether forges tell by themselves. */
  readonly hearing: Hearing;
  /** Looks now, and resolves when what was seen is in the journal. */
  look(project: ProjectName): Promise<void>;
  /** Why the last look at a project failed, in a sentence; undefined where it did not. */
  trouble(project: ProjectName): string | undefined;
  /** When a look last succeeded in this daemon. */
  lookedAt(project: ProjectName): number | undefined;
  /** Forgets a look that never ends, and looks anew. */
  restart(project: ProjectName): Promise<void>;
  stop(): void;
};

export type ObserveDeps = LookDeps & {
  scope: (project: ProjectName) => boolean;
  onError: (error: unknown) => void;
  /** A project that could not be looked at can be again. */
  onRecovered: (project: ProjectName) => void;
};

export const createObserve = (deps: ObserveDeps): Observe => new Observer(deps);

class Observer implements Observe {
  readonly hearing: Hearing;
  readonly #deps: ObserveDeps;
  readonly #underWay = new Map<ProjectName, Entry>();
  readonly #troubles = new Map<ProjectName, string>();
  readonly #memory = new Map<ProjectName, Memory>();
  readonly #lookedAt = new Map<ProjectName, number>();
  #timer: Timer;
  #stopped = false;

  constructor(deps: ObserveDeps) {
    this.#deps = deps;
    this.hearing = new Hearing(() => deps.clock.now());
    this.#timer = deps.clock.after(SLOW_MS, () => this.#slow());
  }

  nudge(project: ProjectName): void {
    if (!this.#deps.scope(project)) return;
    this.look(project).catch(this.#deps.onError);
  }

  heard(project: ProjectName, hint: Hint): void {
    this.hearing.heard(project);
    if (hint === "checks" || !this.#deps.scope(project)) return;
    this.#look(project, hint === "target").catch(this.#deps.onError);
  }

  /** One look at a time per project; a call during a look leads to another one. */
  look(project: ProjectName): Promise<void> {
    return this.#look(project, true);
  }

  #look(project: ProjectName, withTarget: boolean): Promise<void> {
    const current = this.#underWay.get(project);
    if (current !== undefined) {
      current.again = true;
      return current.promise;
    }
    const entry: Entry = { promise: Promise.resolve(), again: false, withTarget };
    this.#underWay.set(project, entry);
    entry.promise = this.#repeat(project, entry);
    return entry.promise;
  }

  trouble(project: ProjectName): string | undefined {
    return this.#troubles.get(project);
  }

  lookedAt(project: ProjectName): number | undefined {
    return this.#lookedAt.get(project);
  }

  restart(project: ProjectName): Promise<void> {
    this.#underWay.delete(project);
    return this.look(project);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.cancel();
  }

  async #repeat(project: ProjectName, entry: Entry): Promise<void> {
    try {
      do {
        entry.again = false;
        if (!this.#stopped) await this.#lookOnce(project, entry.withTarget);
        entry.withTarget = true;
        if (this.#troubles.delete(project)) this.#deps.onRecovered(project);
        this.#lookedAt.set(project, this.#deps.clock.now());
      } while (entry.again && !this.#stopped);
    } catch (error) {
      const { message, hint } = describeError(error);
      this.#troubles.set(project, hint === undefined ? message : `${message} (${hint})`);
      throw error;
    } finally {
      if (this.#underWay.get(project) === entry) this.#underWay.delete(project);
    }
  }

  async #lookOnce(project: ProjectName, withTarget: boolean): Promise<void> {
    const memory = this.#memoryOf(project);
    const now = this.#deps.clock.now();
    memory.lookedAt = now;
    const { loop } = this.#deps;
    const submit = (input: Input): Promise<boolean> => {
      memory.news ||= NEWS.has(input.event.kind);
      return loop.submit(input);
    };
    const deps = { ...this.#deps, loop: { submit } };
    await lookAtProject(deps, project, { withTarget, issues: memory.issues });
    if (withTarget) memory.targetAt = now;
  }

  #memoryOf(project: ProjectName): Memory {
    const known = this.#memory.get(project);
    if (known !== undefined) return known;
    const memory: Memory = { lookedAt: 0, targetAt: 0, issues: newKnownIssues(), news: false };
    this.#memory.set(project, memory);
    return memory;
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
    for (const { state } of await this.#deps.store.aggregates({ kind: "project" })) {
      if (state.kind !== "project" || !this.#deps.scope(state.name)) continue;
      await this.#lookIfDue(state);
    }
  }

  async #lookIfDue(project: Project): Promise<void> {
    const { name } = project;
    const { lookedAt, targetAt } = this.#memoryOf(name);
    const isIdle = project.config?.forge !== undefined && project.active.length === 0;
    const since = this.#deps.clock.now() + EARLY_MS;
    if (this.hearing.source(name).kind === "webhook") {
      await this.#lookForMissed(name, since - lookedAt, isIdle ? TOLD_MS.idle : TOLD_MS.active);
      return;
    }
    if (isIdle && since - lookedAt < IDLE_FORGE_MS) return;
    const withTarget = !isIdle || since - targetAt >= IDLE_TARGET_MS;
    await this.#look(name, withTarget).catch(this.#deps.onError);
  }

  async #lookForMissed(name: ProjectName, ...[agoMs, everyMs]: [number, number]): Promise<void> {
    if (agoMs < everyMs) return;
    const memory = this.#memoryOf(name);
    memory.news = false;
    await this.look(name).catch(this.#deps.onError);
    if (memory.news) this.hearing.missed(name);
  }
}

/** A look under way; another one that was asked for meanwhile looks at everything. */
type Entry = { promise: Promise<void>; again: boolean; withTarget: boolean };

/** Kept from look to look; lost with the process, and may be. */
type Memory = { lookedAt: number; targetAt: number; issues: KnownIssues; news: boolean };
