// When patrols go their rounds: each project's deacon and witness, each on its own, so that one that
// hangs is seen by the other. A round leaves a sign of life, which is published and costs no write
// in the journal.
import type { ComponentFact, DeaconFacts } from "../../core/patrol/patrol-event.ts";
import { patrolAggregate, pluginAggregate, type ProjectName } from "../../core/ids.ts";
import { LABELS } from "../../core/issue.ts";
import { PATROL_NAMES, type PatrolName } from "../../core/patrol/patrol.ts";
import type { Project } from "../../core/project/project.ts";
import { patrolLate } from "../../core/words/patrol.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Timer } from "../../ports/clock.ts";
import type { Loop } from "../engine/loop.ts";
import type { Doctor } from "./doctor.ts";
import { lookAtGates } from "../plugin/look-at-gates.ts";
import { deaconFacts, witnessFacts, type LookAroundDeps } from "./look-around.ts";
import { patrolFile, signOfLife, type Round } from "./sign-of-life.ts";

const EVERY_MS: Record<PatrolName, number> = { deacon: 2 * 60_000, witness: 5 * 60_000 };
const EXAMINE_MS = 60 * 60_000;
/** Between two projects: each is read in one piece, and everything else has its turn in between. */
const BETWEEN_MS = 1;
/** A patrol is late after so many of its rounds. */
const LATE_ROUNDS = 4;

export type Patrols = {
  /** Starts the periodic rounds. */
  start(): void;
  /** A project as it is now: with another interval, or newly added, its next round may be due earlier. */
  changed(project: Project): void;
  /** One round now; resolves when what it saw is in the journal. `atOnce`: waits for no other one. */
  round(project: ProjectName, name: PatrolName, atOnce?: boolean): Promise<Round>;
  /** Forgets a round that never ends, and starts over. */
  restart(project: ProjectName, name: PatrolName): void;
  stop(): void;
};

export type PatrolsDeps = Omit<LookAroundDeps, "foreign"> & {
  loop: Loop;
  scope: (project: ProjectName) => boolean;
  doctor: (() => Promise<Doctor>) | undefined;
  onError: (error: unknown) => void;
};

export const createPatrols = (deps: PatrolsDeps): Patrols => new Rounds(deps);

class Rounds implements Patrols {
  readonly #deps: PatrolsDeps & LookAroundDeps;
  readonly #done = new Map<string, Round>();
  /** When the last round ended, on the steady clock: the wall clock may be set back. */
  readonly #doneMs = new Map<string, number>();
  /** When the last round that the timer started began, on the steady clock: intervals count from there. */
  readonly #begunMs = new Map<string, number>();
  readonly #underWay = new Set<string>();
  readonly #last = new Map<string, Promise<Round>>();
  readonly #timers = new Map<PatrolName, Timer>();
  /** Each project's intervals when the timers were last set. */
  readonly #intervals = new Map<string, number>();
  /** Patrols whose projects changed since then. */
  readonly #outdated = new Set<PatrolName>();
  #startedAt = 0;
  #startedMs = 0;
  #examinedMs = -Infinity;
  #stopped = false;

  constructor(deps: PatrolsDeps) {
    this.#deps = { ...deps, foreign: new Map() };
  }

  start(): void {
    this.#startedAt = this.#deps.ports.clock.now();
    this.#startedMs = this.#deps.ports.clock.monotonicMs();
    for (const name of PATROL_NAMES) this.#wait(name, 0);
  }

  changed(project: Project): void {
    if (this.#startedAt === 0 || !this.#deps.scope(project.name) || !isOn(project)) return;
    for (const name of PATROL_NAMES) {
      if (this.#intervals.get(`${project.name}/${name}`) === intervalOf(project, name)) continue;
      this.#outdated.add(name);
      this.#wait(name, 0);
    }
  }

  /** One at a time: two at once would read the same letters. */
  round(project: ProjectName, name: PatrolName, atOnce = false): Promise<Round> {
    const id = `${project}/${name}`;
    const before = (atOnce ? undefined : this.#last.get(id)) ?? Promise.resolve();
    const next = before.then(
      () => this.#round(project, name),
      () => this.#round(project, name),
    );
    this.#last.set(id, next);
    return next;
  }

  async #round(project: ProjectName, name: PatrolName): Promise<Round> {
    const { ports, loop } = this.#deps;
    const id = `${project}/${name}`;
    const stored = await this.#read(project, name);
    const everyMs = intervalOf(stored, name);
    const seen =
      name === "deacon"
        ? ({ kind: name, facts: await this.#deaconFacts(stored) } as const)
        : ({
            kind: name,
            facts: await witnessFacts(this.#deps, stored, this.#ageOf(stored, "deacon")),
          } as const);
    // Looked at first: a letter of this round may trigger a plugin that was not known yet.
    if (name === "deacon") await this.#lookAtPlugins(project);
    const at = ports.clock.now();
    const before = this.#done.get(id);
    const previous = before === undefined ? {} : { previousAt: before.at };
    const event = { kind: "patrol-observed", at, project, seen, ...previous } as const;
    await loop.submit({ to: patrolAggregate(project, name), event });
    const round = { at, rounds: (before?.rounds ?? 0) + 1, everyMs };
    this.#done.set(id, round);
    this.#doneMs.set(id, ports.clock.monotonicMs());
    await this.#publish(project, name, round);
    return round;
  }

  /**
   * Of thousands of issues, the deacon asks for those that are claimed, and the witness for none. One
   * question reads them with the runs of the same commit: read later, a claim would have no run.
   */
  async #read(project: ProjectName, name: PatrolName): Promise<Project> {
    const of = { project, kind: "project" } as const;
    const [stored] = await this.#deps.store.aggregates(
      name === "deacon" ? { ...of, labelled: LABELS.inProgress } : { ...of, isBrief: true },
    );
    if (stored?.state.kind !== "project") throw noProject(project);
    return stored.state;
  }

  restart(project: ProjectName, name: PatrolName): void {
    this.#last.delete(`${project}/${name}`);
    this.#underWay.delete(`${project}/${name}`);
    this.#roundSoon(project, name);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
  }

  #wait(name: PatrolName, waitMs: number): void {
    if (this.#stopped) return;
    this.#timers.get(name)?.cancel();
    const timer = this.#deps.ports.clock.after(waitMs, () => {
      this.#all(name)
        .catch((error: unknown) => {
          this.#deps.onError(error);
          return EVERY_MS[name];
        })
        // One that changed while they were read is looked at again.
        .then((nextMs) => this.#wait(name, this.#outdated.has(name) ? 0 : nextMs))
        .catch(this.#deps.onError);
    });
    this.#timers.set(name, timer);
  }

  /** One project that cannot be patrolled does not hold up the others. How long until the next. */
  async #all(name: PatrolName): Promise<number> {
    const { store, scope, ports } = this.#deps;
    const now = ports.clock.monotonicMs();
    this.#outdated.delete(name);
    // Also without a project: one may be registered, or its interval may change.
    let nextMs = now + EVERY_MS[name];
    for (const { state } of await store.aggregates({ kind: "project", isBrief: true })) {
      if (state.kind !== "project" || !scope(state.name) || !isOn(state)) continue;
      const id = `${state.name}/${name}`;
      const everyMs = intervalOf(state, name);
      this.#intervals.set(id, everyMs);
      if (now - (this.#begunMs.get(id) ?? this.#startedMs) >= everyMs) {
        this.#begunMs.set(id, now);
        this.#roundSoon(state.name, name);
        await new Promise<void>((resolve) => void ports.clock.after(BETWEEN_MS, resolve));
      }
      nextMs = Math.min(nextMs, (this.#begunMs.get(id) ?? this.#startedMs) + everyMs);
    }
    return Math.max(nextMs - ports.clock.monotonicMs(), 0);
  }

  /** Not waited for: a round that hangs delays neither the others nor the timer. */
  #roundSoon(project: ProjectName, name: PatrolName): void {
    const id = `${project}/${name}`;
    if (this.#stopped || this.#underWay.has(id)) return;
    this.#underWay.add(id);
    this.round(project, name)
      .catch(this.#deps.onError)
      .finally(() => this.#underWay.delete(id));
  }

  /** The doctor is asked once an hour: a whole examination in every round would be felt. */
  async #deaconFacts(project: Project): Promise<DeaconFacts> {
    const seen = await deaconFacts(this.#deps, project);
    const facts = { ...seen, components: [...seen.components, this.#witness(project)] };
    const { doctor, ports } = this.#deps;
    const now = ports.clock.monotonicMs();
    if (doctor === undefined || now - this.#examinedMs < EXAMINE_MS) return facts;
    this.#examinedMs = now;
    return { ...facts, leftovers: await (await doctor()).find() };
  }

  /** Before its first round a patrol is as old as this daemon. */
  #ageOf(project: Project, name: PatrolName): { agoMs: number; lateMs: number } {
    const now = this.#deps.ports.clock.monotonicMs();
    const lastMs = this.#doneMs.get(`${project.name}/${name}`) ?? this.#startedMs;
    const agoMs = this.#startedAt === 0 ? 0 : Math.max(0, now - lastMs);
    return { agoMs, lateMs: LATE_ROUNDS * intervalOf(project, name) };
  }

  /** The witness watches the deacon, and the deacon the witness. */
  #witness(project: Project): ComponentFact {
    const { agoMs, lateMs } = this.#ageOf(project, "witness");
    const ok = agoMs <= lateMs;
    return { name: "witness", ok, detail: ok ? "" : patrolLate("witness", agoMs) };
  }

  /** The step plugin-run: a project whose plugins cannot be looked at has its round all the same. */
  async #lookAtPlugins(project: ProjectName): Promise<void> {
    const { store, ports, paths, loop, onError, observe } = this.#deps;
    const to = pluginAggregate(project);
    try {
      const stored = (await store.load(to))?.state;
      const known = stored?.kind === "plugin" ? stored : undefined;
      const own = await ports.project(project);
      // If no observer looks at the project, this is the look.
      if (observe.lookedAt(project) === undefined) await own.git.fetchTarget();
      const startedAt = this.#startedAt;
      const found = await lookAtGates(
        { store, ports, paths, project, own, startedAt, onError },
        known,
      );
      if (found.length === 0 && known === undefined) return;
      const event = { kind: "plugins-observed", at: ports.clock.now(), project, found } as const;
      await loop.submit({ to, event });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      onError(error);
    }
  }

  async #publish(project: ProjectName, name: PatrolName, round: Round): Promise<void> {
    const { ports, paths } = this.#deps;
    const path = patrolFile(paths.state(project), name);
    await ports.publisher.publish(path, signOfLife(project, name, round));
  }
}

const isOn = ({ config }: Project): boolean =>
  config !== undefined && config.patrol?.enabled !== false;

const intervalOf = ({ config }: Project, name: PatrolName): number =>
  (name === "deacon" ? config?.patrol?.deaconMs : config?.patrol?.witnessMs) ?? EVERY_MS[name];

const noProject = (project: ProjectName): OperationError =>
  new OperationError(`cannot patrol ${project}: there is no such project`, { code: "no-project" });
