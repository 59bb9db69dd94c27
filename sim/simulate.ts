// One simulation: a world, daemons that come and go in it, a time of faults, a time without them
// in which everything must come to an end, and a day in which nothing may happen.
import { projectAggregate, projectOf, type Commit, type ProjectName } from "../src/core/ids.ts";
import { mailDeadline } from "../src/core/mail/mailbox.ts";
import { createEngine, type Engine } from "../src/daemon/engine/engine.ts";
import type { ReadConfig } from "../src/daemon/observing/observe-project.ts";
import { createCheckers } from "./checkers/all.ts";
import { openWork } from "./checkers/liveness.ts";
import { choreFormula } from "./chore.ts";
import { isPolicyBroken, startConfigPeople } from "./config-people.ts";
import { configIn, POLICY_FILE } from "./config.ts";
import type { Journaled } from "./fact.ts";
import { createFakeDeathNotes } from "./fakes/death-notes.ts";
import { createFakePorts } from "./fakes/ports.ts";
import { Life } from "./life.ts";
import type { Options } from "./options.ts";
import { startLabelPeople } from "./label-people.ts";
import { startPeople } from "./people.ts";
import { startOutages } from "./outages.ts";
import { startRedTargets } from "./red-targets.ts";
import { startReopeners } from "./reopeners.ts";
import { startRepeaters } from "./agent-words.ts";
import { startAskers } from "./askers.ts";
import { startFormulas } from "./formulas.ts";
import { LONGEST_ROLE_MS, roleFormula, startRolePeople } from "./roles.ts";
import { hasOutcome, isCleared } from "./seen.ts";
import { Story } from "./story.ts";
import { startStranger } from "./stranger.ts";
import { startVaultPeople } from "./vault-people.ts";
import { World, type Failure } from "./world.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
/** By then every deadline that a run can have has passed, one after the other. */
const LIVENESS_MS = 150 * HOUR_MS;
const RESTART_MAX_MS = 10 * 60 * SECOND_MS;
const MOMENTS_PER_TURN = 256;

export type Result = {
  failure: Failure | undefined;
  /** Checkers that saw something while only others were asked. */
  overlooked: string[];
  story: string[];
  simulatedMs: number;
  /** Time multiplied by how many runs were active in it. */
  activeRunMs: number;
  events: number;
  landed: number;
  kills: number;
  /** Agents that were started, and issues that standing roles have filed. */
  sessions: number;
  filed: number;
};

export async function simulate(
  seed: number,
  options: Options,
  tell: { story: boolean; onlyFaults?: boolean; checkers?: readonly string[] | undefined },
): Promise<Result> {
  const simulation = new Simulation(seed, options, tell);
  await simulation.run(tell.onlyFaults ?? false);
  return simulation.result();
}

/** What the schedules of simulated projects start: a command, no agent. */
const CHORE = choreFormula();

class Simulation {
  readonly #world: World;
  readonly #story: Story | undefined;
  readonly #checkers: ReturnType<typeof createCheckers>;
  #engine: Engine | undefined;
  #lives = 0;
  #kills = 0;
  #commits = 0;
  #active = new Set<string>();
  #activeRunMs = 0;
  #landed = 0;
  /** Commits that are not only about what projects do at fixed times. */
  #worked = 0;
  #sessions = 0;
  #filed = 0;
  #moments = 0;

  constructor(
    seed: number,
    options: Options,
    tell: { story: boolean; checkers?: readonly string[] | undefined },
  ) {
    this.#world = new World(seed, options);
    this.#world.wanted = tell.checkers;
    this.#story = tell.story ? new Story(this.#world) : undefined;
    this.#checkers = createCheckers(this.#world);
    this.#listenToForges();
    startRedTargets(this.#world);
    startOutages(this.#world);
    startPeople(this.#world, () => this.#engine);
    startAskers(this.#world, () => this.#engine);
    startFormulas(this.#world, () => this.#engine);
    startVaultPeople(this.#world, () => this.#engine);
    startRolePeople(this.#world);
    startLabelPeople(this.#world);
    startConfigPeople(this.#world);
    startStranger(this.#world);
    startReopeners(this.#world);
    startRepeaters(this.#world);
    this.#world.listeners.push((fact) => {
      if (fact.kind === "daemon-killed") this.#died();
      else if (fact.kind === "process-started") this.#sessions += 1;
      else if (fact.kind === "forge-made" && isFiledByRole(fact)) this.#filed += 1;
      else if (fact.kind === "journaled") this.#journaled(fact.journaled);
    });
  }

  async run(onlyFaults: boolean): Promise<void> {
    const world = this.#world;
    this.#begin();
    world.tell({ kind: "phase-of-simulation", name: "faults" });
    await this.#until(world.options.safetyHours * HOUR_MS);
    if (onlyFaults) return this.#engine?.stop();
    world.tell({ kind: "phase-of-simulation", name: "no faults any more" });
    world.faults.on = false;
    const limit = world.clock.monotonicMs() + LIVENESS_MS;
    await this.#converge(limit);
    if (world.failure === undefined) await this.#idle();
    this.#engine?.stop();
  }

  result(): Result {
    return {
      failure: this.#world.failure,
      overlooked: [...this.#world.overlooked],
      story: this.#story?.lines ?? [],
      simulatedMs: this.#world.clock.monotonicMs(),
      activeRunMs: this.#activeRunMs,
      events: this.#commits,
      landed: this.#landed,
      kills: this.#kills,
      sessions: this.#sessions,
      filed: this.#filed,
    };
  }

  #listenToForges(): void {
    const world = this.#world;
    for (const { name, forge } of world.projects.values()) {
      forge.onMade = ({ what, mark }) =>
        world.tell({ kind: "forge-made", project: name, what, mark });
      forge.onClosed = (issue) =>
        world.tell({ kind: "issue-closed", project: name, issue, by: "others" });
    }
  }

  /** A new daemon over the same journal and the same world. */
  #begin(): void {
    const world = this.#world;
    this.#lives += 1;
    const life = new Life(world, this.#lives);
    world.tell({ kind: "daemon-started", life: life.number });
    const engine = createEngine({
      store: life.store(),
      ports: createFakePorts(life),
      paths: world.paths,
      crash: life.pass,
      readConfig: async ({ name }, _own, target) => this.#configAt(name, target),
      findFormula: async (_place, name) => ({ formula: roleFormula(name) ?? CHORE, source: "sim" }),
      listFormulas: async () => [CHORE],
      wants: () => true,
      scope: () => true,
      notes: createFakeDeathNotes(life),
      onError: (error, about) => {
        if (!life.dead) world.tell({ kind: "effect-refused", about, error });
      },
    });
    this.#engine = engine;
    this.#start(engine, life).catch((error: unknown) => {
      if (life.dead) return;
      world.tell({ kind: "effect-refused", about: "start", error });
      // As the keeper would: a daemon that cannot start is started again.
      life.kill("start");
    });
  }

  #configAt(name: ProjectName, target: Commit): Awaited<ReturnType<ReadConfig>> {
    const { options } = this.#world;
    const text = this.#world.project(name).repository.files(target).get(POLICY_FILE);
    const config = configIn(options, text);
    if (config === undefined) return { kind: "invalid", problem: "pawl.toml cannot be read" };
    return { kind: "valid", config, source: "target" };
  }

  async #start(engine: Engine, life: Life): Promise<void> {
    for (const name of this.#world.projects.keys()) await this.#register(engine, name);
    if (!life.dead) await engine.start();
  }

  async #register(engine: Engine, name: ProjectName): Promise<void> {
    const to = projectAggregate(name);
    if ((await this.#world.store.load(to)) !== undefined) return;
    const at = this.#world.clock.now();
    const { remote } = this.#world.options;
    const root = `/home/ann/${name}`;
    const upstream = remote
      ? ({ kind: "remote", url: "https://forge.example/p", path: root } as const)
      : ({ kind: "local", path: root } as const);
    await engine.loop.submit({
      to,
      event: { kind: "project-registered", at, name, root, upstream },
    });
  }

  #died(): void {
    this.#kills += 1;
    this.#engine = undefined;
    const waitMs = SECOND_MS + this.#world.faults.lengthMs(RESTART_MAX_MS);
    this.#world.clock.after(waitMs, () => this.#begin());
  }

  #journaled(journaled: Journaled): void {
    const { states, events } = journaled;
    this.#commits += 1;
    if (!this.#isChore(journaled) && !isNewDay(journaled)) this.#worked += 1;
    for (const { to, event } of events) {
      if (event.kind !== "effect-failed") continue;
      const { effect } = event.failed.obligation;
      if (effect.kind !== "settle-issue") continue;
      this.#world.project(projectOf(to)).unsettled.add(effect.issue);
    }
    for (const { id, state } of states) {
      if (state.kind !== "run") continue;
      if (!hasOutcome(state)) this.#active.add(id);
      else if (this.#active.delete(id) && state.outcome?.kind === "landed") this.#landed += 1;
    }
  }

  /** Only schedules, plugins and the deacon's notes of them were written: that costs no session. */
  #isChore({ events, states, effects, settled, postponed }: Journaled): boolean {
    const { chores } = this.#world.options;
    const isPart = (key: string): boolean =>
      isOfChore(key) || (chores && key.startsWith("patrol:"));
    return (
      events.every(({ to }) => isPart(to)) &&
      states.every(({ id }) => isPart(id)) &&
      effects.every(({ key }) => isPart(key)) &&
      postponed.every(({ key }) => isPart(key)) &&
      settled.every(isPart)
    );
  }

  /** From moment to moment: the next timer, and everything that follows from it without time passing. */
  async #until(endMs: number): Promise<void> {
    const world = this.#world;
    const { clock, ready } = world;
    while (world.failure === undefined) {
      const before = clock.monotonicMs();
      do await this.#settled();
      while (ready?.release() === true);
      world.resetCalls();
      if (world.failure !== undefined) return;
      const more = clock.advance(endMs);
      this.#activeRunMs += (clock.monotonicMs() - before) * this.#active.size;
      if (!more) return;
    }
  }

  /**
   * All microtasks are done before the next tick begins: that is the whole scheduler. A turn of the
   * event loop costs more than the moment itself; now and then there is one, so that an uncaught
   * rejection is noticed.
   */
  #settled(): Promise<void> {
    this.#moments += 1;
    return this.#moments % MOMENTS_PER_TURN === 0
      ? new Promise((resolve) => setImmediate(resolve))
      : new Promise((resolve) => process.nextTick(resolve));
  }

  async #converge(limit: number): Promise<void> {
    const world = this.#world;
    while (world.failure === undefined) {
      await this.#until(Math.min(limit, world.clock.monotonicMs() + HOUR_MS));
      if (await this.#isDone()) return;
      if (world.clock.monotonicMs() >= limit) {
        await this.#checkers.unfinished();
        if (world.failure === undefined) world.fail("liveness", "not everything came to an end");
        return;
      }
    }
  }

  async #isDone(): Promise<boolean> {
    const { store, projects } = this.#world;
    const waiting = (await store.outbox()).filter(({ key }) => !isOfChore(key));
    if (waiting.length > 0 || this.#engine === undefined) return false;
    for (const { state } of await store.aggregates()) {
      if (state.kind === "run" && !isCleared(state)) return false;
      if (state.kind === "queue" && state.entries.length > 0) return false;
      if (state.kind === "formula" && state.outcome === undefined) return false;
      if (state.kind === "gate" && state.closed === undefined) return false;
      if (state.kind === "action" && state.stage.kind !== "ended") return false;
      if (state.kind === "project" && state.active.length + state.tasks.length > 0) return false;
      if (state.kind === "vault" && state.stage.kind !== "ended") return false;
      // Letters that are not collected are given up on in the end.
      if (state.kind === "mail" && mailDeadline(state) !== undefined) return false;
    }
    return [...projects.values()].every(
      (project) => openWork(project).length === 0 && !isPolicyBroken(project),
    );
  }

  /** What is open is looked at by roles now and then: that is no idle factory. */
  #isGroomed(): boolean {
    const { options, projects } = this.#world;
    const isOpen = ({ state }: { state: string }): boolean => state === "open";
    return (
      options.roles === true &&
      [...projects.values()].some(({ forge }) => [...forge.issueByNumber.values()].some(isOpen))
    );
  }

  async #idle(): Promise<void> {
    const world = this.#world;
    world.tell({ kind: "phase-of-simulation", name: "nothing left to do" });
    await this.#checkers.atEnd();
    // One look to notice what the last run changed.
    await this.#until(world.clock.monotonicMs() + 5 * 60 * SECOND_MS);
    // Roles look back at what was done, each once after its time.
    if (world.options.roles === true) {
      await this.#until(world.clock.monotonicMs() + LONGEST_ROLE_MS);
    }
    const before = this.#worked;
    const sessions = this.#sessions;
    const idleMs = (world.options.idleHours ?? 24) * HOUR_MS;
    await this.#until(world.clock.monotonicMs() + idleMs);
    if (this.#isGroomed()) return;
    if (this.#worked !== before) {
      world.fail("idle", `an idle factory wrote ${this.#worked - before} times`);
    }
    if (this.#sessions !== sessions) {
      world.fail("idle", `an idle factory started ${this.#sessions - sessions} sessions`);
    }
  }
}

const isFiledByRole = ({ what, mark }: { what: string; mark: string }): boolean =>
  what === "issue" && mark.startsWith("formula:");

/** A project whose day is spent may start agents again: that is noted, at midnight. */
const isNewDay = ({ events, effects }: Journaled): boolean =>
  effects.length === 0 &&
  events.length > 0 &&
  events.every(({ to, event }) => to.startsWith("project:") && event.kind === "deadline-passed");

const isOfChore = (key: string): boolean => /^(schedule|formula|plugin):/.test(key);
