// The engine: loop, outbox, deadlines, watching, observing and publishing, put together over a
// store and a bundle of ports. The daemon runs it with adapters, the simulator with fakes, and a
// command that finds no daemon runs it for as long as it needs.
import { projectOf, type AggregateId, type ProjectName } from "../../core/ids.ts";
import type { AnswerCall } from "../sessions/answer-session.ts";
import type { AggregateState } from "../../core/step.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import type { Store, Transaction } from "../../ports/store.ts";
import { checkpointReason } from "./checkpoint-reason.ts";
import { createParts, type EngineParts } from "./engine-parts.ts";
import type { DeathNotes } from "./death-notes.ts";
import type { FindFormula, Keeper, ListFormulas } from "../effects/executor.ts";
import type { Committed, Input, Loop } from "./loop.ts";
import type { OtherUpstream, ReadConfig } from "../observing/observe-project.ts";
import type { Observe } from "../observing/observe.ts";
import type { Outbox, Row } from "./outbox.ts";
import type { Paths } from "../host/paths.ts";
import type { Doctor } from "../patrol/doctor.ts";
import type { Patrols } from "../patrol/patrols.ts";
import type { Ports } from "./ports.ts";
import { endedLately, type Publish } from "../publishing/publish.ts";
import { endedRuns } from "../views/find-runs.ts";

export type Engine = {
  loop: Loop;
  outbox: Outbox;
  observe: Observe;
  publish: Publish;
  patrols: Patrols;
  /** Takes up what the journal holds; resolves when reality has been looked at once. */
  start(): Promise<void>;
  /**
   * Only carries out what the journal holds for this one: nothing outside is looked at, no agent is
   * watched.
   */
  resume(only: AggregateId): Promise<void>;
  /** Called after every commit and every effect, in order. Returns the way to stop listening. */
  onCommitted(listener: (committed: Committed) => void): () => void;
  /** While no effect uses the workspace at this path. */
  inWorkspace<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** An online copy of the journal. */
  backup(path: string): Promise<void>;
  /** For records of upkeep; what happens to an aggregate goes through the loop. */
  transaction: Store["transaction"];
  /** Lets go of everything; agents keep running. */
  stop(): void;
};

/** Outcomes after which the backlog or the configuration may have changed. */
const CHANGES_OUTSIDE: ReadonlySet<string> = new Set(["settle-issue", "land"]);

export type EngineDeps = {
  store: Store;
  ports: Ports;
  paths: Paths;
  crash: CrashPoint;
  readConfig: ReadConfig;
  otherUpstream?: OtherUpstream;
  /** Which effects are carried out here, and which projects are looked at. */
  wants: (row: Row) => boolean;
  scope: (project: ProjectName) => boolean;
  /** False: projects are looked at only where a caller asks for it. */
  observes?: boolean;
  /** Cleans up for the deacon; the simulator has none. */
  doctor?: () => Promise<Doctor>;
  /** The keeper that restarts this daemon when it ends, if there is one. */
  keeper?: Keeper | undefined;
  /** Where formulas come from, unless from the target and from Pawl itself. */
  findFormula?: FindFormula;
  listFormulas?: ListFormulas;
  /** Which effect the last daemon died of. */
  notes?: DeathNotes | undefined;
  /** Answers questions of sessions that have no socket; the simulator's ask none. */
  answer?: AnswerCall | undefined;
  onError: (error: unknown, about: string) => void;
};

export const createEngine = (deps: EngineDeps): Engine => new WholeEngine(deps);

class WholeEngine implements Engine {
  readonly #deps: EngineDeps;
  readonly #parts: EngineParts;
  readonly #listeners = new Set<(committed: Committed) => void>();
  /** What this process works on knows that it began: see `#mayPass`. */
  #knowsStart: (id: AggregateId) => boolean = () => false;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#parts = createParts(deps, {
      onCommitted: (committed) => this.#committed(committed),
      onDone: (row) => this.#done(row),
      onSeen: (input) => this.#seen(input),
      mayPass: (id) => this.#mayPass(id),
    });
  }

  get loop(): Loop {
    return this.#parts.loop;
  }

  get outbox(): Outbox {
    return this.#parts.outbox;
  }

  get observe(): Observe {
    return this.#parts.observe;
  }

  get publish(): Publish {
    return this.#parts.publish;
  }

  get patrols(): Patrols {
    return this.#parts.patrols;
  }

  async start(): Promise<void> {
    const { store, scope, ports } = this.#deps;
    const { checkpointer, checkpointPush, publish, outbox, deadlines, loop } = this.#parts;
    const all = (await store.aggregates({ isBrief: true })).filter(({ id }) =>
      scope(projectOf(id)),
    );
    checkpointer.start();
    checkpointPush.start();
    const ended = (await endedLately(store)).filter(({ id }) => scope(projectOf(id)));
    for (const { state } of [...ended, ...all]) this.#syncRun(state);
    for (const { id } of all.filter((stored) => isProject(stored.id))) await this.#syncLast(id);
    publish.begin([...all, ...ended]);
    await outbox.resume();
    for (const { id, state } of all) {
      const isUnready = state.kind === "project" && state.setUp !== undefined;
      if (state.kind !== "queue" && state.kind !== "formula" && !isUnready) continue;
      await loop.submit({ to: id, event: { kind: "daemon-started", at: ports.clock.now() } });
    }
    this.#knowsStart = () => true;
    for (const { id } of all.filter((stored) => isProject(stored.id))) await this.#lookAt(id);
    deadlines.schedule();
    if (this.#deps.observes !== false) this.#parts.patrols.start();
  }

  async resume(only: AggregateId): Promise<void> {
    const { loop, outbox, deadlines } = this.#parts;
    const at = this.#deps.ports.clock.now();
    await loop.submit({ to: only, event: { kind: "daemon-started", at } });
    this.#knowsStart = (id) => id === only;
    await outbox.resume();
    deadlines.schedule();
  }

  inWorkspace<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.#parts.turns(path, work);
  }

  onCommitted(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  backup(path: string): Promise<void> {
    return this.#deps.store.backup(path);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#deps.store.transaction(work);
  }

  stop(): void {
    const { outbox, deadlines, watch, checkpointer, checkpointPush, observe, patrols } =
      this.#parts;
    for (const part of [outbox, deadlines, watch, checkpointer, checkpointPush, observe, patrols]) {
      part.stop();
    }
  }

  #committed(committed: Committed): void {
    const { outbox, publish, deadlines } = this.#parts;
    for (const { state } of committed.changed) {
      this.#syncRun(state);
      if (state.kind === "project") this.#parts.patrols.changed(state);
    }
    outbox.accept(committed);
    publish.changed(committed.changed);
    deadlines.schedule();
    this.#tell(committed);
  }

  #done(row: Row): void {
    if (CHANGES_OUTSIDE.has(row.effect.kind)) this.observe.nudge(projectOf(row.aggregate));
    // An effect without an outcome changes no aggregate, and yet there is less to do now.
    this.#tell({ changed: [], effects: [], cancelled: [] });
  }

  /**
   * A step of a formula may have succeeded while no daemon was there to record it: its time is up only
   * in a process that carries out steps, and when the formula knows of that process. Otherwise the
   * step would run to success again.
   */
  #mayPass(id: AggregateId): boolean {
    return !id.startsWith("formula:") || this.#knowsStart(id);
  }

  #seen(input: Input): void {
    const why = checkpointReason(input.event);
    if (why !== undefined) this.#parts.checkpointer.nudge(input.to, why);
  }

  #tell(committed: Committed): void {
    for (const listener of this.#listeners) listener(committed);
  }

  #syncRun(state: AggregateState): void {
    if (state.kind !== "run") return;
    this.#parts.watch.sync(state);
    this.#parts.gateways.sync(state);
    this.#parts.checkpointer.sync(state);
    this.#parts.checkpointPush.sync(state);
  }

  /** Also where no run is left: its last checkpoint may not have been copied to the remote. */
  async #syncLast(id: AggregateId): Promise<void> {
    const { store } = this.#deps;
    for (const run of await endedRuns(store, { project: projectOf(id), limit: 1 })) {
      this.#parts.checkpointPush.sync(run);
    }
  }

  /** One project that cannot be looked at must not keep the others from being served. */
  async #lookAt(id: AggregateId): Promise<void> {
    try {
      await this.observe.look(projectOf(id));
    } catch (error) {
      this.#deps.onError(error, `look at ${id}`);
    }
  }
}

const isProject = (id: AggregateId): boolean => id.startsWith("project:");
