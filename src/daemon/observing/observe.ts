// When projects are looked at: soon after something is known to have changed, and slowly otherwise.
// What a look sees is in observe-project.ts. A forge over a network is asked less often while less
// happens: a project without a working agent costs under 60 requests an hour, git's included.
import type { ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { describeError } from "../../lib/operation-error.ts";
import type { Timer } from "../../ports/clock.ts";
import type { Input } from "../engine/loop.ts";
import { newKnownIssues, type KnownIssues } from "./backlog-facts.ts";
import { observeProject, type ProjectObserveDeps } from "./observe-project.ts";
import { AGAIN_MS, rhythmOf, ROUND_MS } from "./observe-rhythm.ts";
import type { Hint } from "../webhooks/delivery.ts";
import { WebhookHealth } from "../webhooks/webhook-health.ts";

/** Looks of one round side by side: a forge that does not answer holds up its own project only. */
const SIDE_BY_SIDE = 8;
/** People are told of a look that takes longer. */
const SLOW_LOOK_MS = 10_000;
/** Seen by a periodic look, these mean that the forge did not report a change. */
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
  webhookDelivered(project: ProjectName, hint: Hint): void;
  /** Whether forges tell by themselves. */
  readonly webhooks: WebhookHealth;
  /** Looks now, and resolves when what was seen is in the journal. */
  look(project: ProjectName): Promise<void>;
  /** Why the last look at a project failed, in a sentence; undefined where it did not. */
  trouble(project: ProjectName): string | undefined;
  /** That a look is taking long, in a sentence; undefined where none does. */
  slow(project: ProjectName): string | undefined;
  /** When a look last succeeded in this daemon. */
  lookedAt(project: ProjectName): number | undefined;
  /** How often it is looked at as things are. */
  everyMs(project: Project): number;
  /** Forgets a look that never ends, and looks again. */
  restart(project: ProjectName): Promise<void>;
  stop(): void;
};

export type ObserveDeps = ProjectObserveDeps & {
  scope: (project: ProjectName) => boolean;
  onError: (error: unknown) => void;
  /** A project that could not be looked at can be again. */
  onRecovered: (project: ProjectName) => void;
};

export const createObserve = (deps: ObserveDeps): Observe => new Observer(deps);

class Observer implements Observe {
  readonly webhooks: WebhookHealth;
  readonly #deps: ObserveDeps;
  readonly #underWay = new Map<ProjectName, Entry>();
  readonly #troubles = new Map<ProjectName, string>();
  readonly #memory = new Map<ProjectName, Memory>();
  readonly #lookedAt = new Map<ProjectName, number>();
  #timer: Timer;
  #stopped = false;

  constructor(deps: ObserveDeps) {
    this.#deps = deps;
    this.webhooks = new WebhookHealth(() => deps.clock.now());
    this.#timer = deps.clock.after(ROUND_MS, () => this.#round());
  }

  nudge(project: ProjectName): void {
    if (!this.#deps.scope(project)) return;
    this.look(project).catch(this.#deps.onError);
  }

  webhookDelivered(project: ProjectName, hint: Hint): void {
    this.webhooks.delivered(project);
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
    const entry: Entry = {
      promise: Promise.resolve(),
      again: false,
      withTarget,
      since: this.#deps.clock.now(),
    };
    this.#underWay.set(project, entry);
    entry.promise = this.#repeat(project, entry);
    return entry.promise;
  }

  trouble(project: ProjectName): string | undefined {
    return this.#troubles.get(project);
  }

  slow(project: ProjectName): string | undefined {
    const since = this.#underWay.get(project)?.since;
    const tookMs = since === undefined ? 0 : this.#deps.clock.now() - since;
    if (tookMs < SLOW_LOOK_MS) return undefined;
    return `the forge or the remote answers slowly: reading it has taken ${Math.round(tookMs / 1000)} s so far`;
  }

  lookedAt(project: ProjectName): number | undefined {
    return this.#lookedAt.get(project);
  }

  everyMs(project: Project): number {
    return rhythmOf(project, this.webhooks.source(project.name).kind).everyMs;
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
        entry.since = this.#deps.clock.now();
        if (!this.#stopped) await this.#observeOnce(project, entry.withTarget);
        entry.withTarget = true;
        if (this.#troubles.delete(project)) this.#deps.onRecovered(project);
        this.#lookedAt.set(project, this.#deps.clock.now());
        this.#memoryOf(project).failed = false;
      } while (entry.again && !this.#stopped);
    } catch (error) {
      const { message, hint } = describeError(error);
      this.#memoryOf(project).failed = true;
      this.#troubles.set(project, hint === undefined ? message : `${message} (${hint})`);
      throw error;
    } finally {
      if (this.#underWay.get(project) === entry) this.#underWay.delete(project);
    }
  }

  async #observeOnce(project: ProjectName, withTarget: boolean): Promise<void> {
    const memory = this.#memoryOf(project);
    const now = this.#deps.clock.now();
    memory.lookedAt = now;
    const { loop } = this.#deps;
    const submit = (input: Input): Promise<boolean> => {
      memory.news ||= NEWS.has(input.event.kind);
      return loop.submit(input);
    };
    const deps = { ...this.#deps, loop: { submit } };
    await observeProject(deps, project, { withTarget, issues: memory.issues });
    if (withTarget) memory.targetAt = now;
  }

  #memoryOf(project: ProjectName): Memory {
    const known = this.#memory.get(project);
    if (known !== undefined) return known;
    const memory: Memory = {
      lookedAt: 0,
      targetAt: 0,
      issues: newKnownIssues(),
      news: false,
      failed: false,
    };
    this.#memory.set(project, memory);
    return memory;
  }

  /** The looks of a round are not waited for: one that hangs must not keep the next from its start. */
  #round(): void {
    if (this.#stopped) return;
    this.#timer = this.#deps.clock.after(ROUND_MS, () => this.#round());
    this.#all().catch(this.#deps.onError);
  }

  /** One project that cannot be looked at, or never answers, does not hold up the others. */
  async #all(): Promise<void> {
    const projects = (await this.#deps.store.aggregates({ kind: "project", isBrief: true }))
      .flatMap(({ state }) => (state.kind === "project" ? [state] : []))
      .filter(({ name }) => this.#deps.scope(name) && !this.#underWay.has(name));
    const lane = async (): Promise<void> => {
      for (let one = projects.shift(); one !== undefined; one = projects.shift()) {
        // By the round after this one, perhaps, which came to it first.
        if (!this.#underWay.has(one.name)) await this.#lookIfDue(one);
      }
    };
    const lanes = Math.min(SIDE_BY_SIDE, projects.length);
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  async #lookIfDue(project: Project): Promise<void> {
    const { name } = project;
    const { lookedAt, targetAt, failed } = this.#memoryOf(name);
    const source = this.webhooks.source(name).kind;
    const { everyMs: pauseMs, targetEveryMs } = rhythmOf(project, source);
    const everyMs = failed ? Math.min(pauseMs, AGAIN_MS) : pauseMs;
    const since = this.#deps.clock.now() + EARLY_MS;
    if (everyMs > ROUND_MS && since - lookedAt < everyMs) return;
    if (source === "webhook") return this.#lookForMissed(name);
    await this.#look(name, since - targetAt >= targetEveryMs).catch(this.#deps.onError);
  }

  async #lookForMissed(name: ProjectName): Promise<void> {
    const memory = this.#memoryOf(name);
    memory.news = false;
    // What a look that failed would have found was told, perhaps.
    const { failed } = memory;
    await this.look(name).catch(this.#deps.onError);
    if (memory.news && !failed) this.webhooks.missed(name);
  }
}

/** A look under way; another one that was asked for meanwhile looks at everything. */
type Entry = { promise: Promise<void>; again: boolean; withTarget: boolean; since: number };

/** Kept from look to look; lost with the process, and may be. */
type Memory = {
  lookedAt: number;
  targetAt: number;
  issues: KnownIssues;
  news: boolean;
  failed: boolean;
};
