// The engine: loop, outbox, deadlines, watching, observing and publishing, put together over a
// store and a bundle of ports. The daemon runs it with adapters, the simulator with fakes, and a
// command that finds no daemon runs it for as long as it needs.
import { projectOf, type AggregateId, type ProjectName } from "../core/ids.ts";
import type { AggregateState } from "../core/step.ts";
import type { CrashPoint } from "../lib/crash-point.ts";
import type { Store } from "../ports/store.ts";
import { CheckpointPush } from "./checkpoint-push.ts";
import { Checkpointer } from "./checkpointer.ts";
import { createDeadlines } from "./deadlines.ts";
import { createExecute } from "./effects.ts";
import { createLoop, type Committed, type Input, type Loop } from "./loop.ts";
import type { ReadConfig } from "./look-at-project.ts";
import { createObserve, type Observe } from "./observe.ts";
import { createOutbox, type Outbox, type Row } from "./outbox.ts";
import type { Paths } from "./paths.ts";
import type { Ports } from "./ports.ts";
import { createPublish, type Publish } from "./publish.ts";
import { createWatch } from "./watch.ts";

export type Engine = {
  loop: Loop;
  outbox: Outbox;
  observe: Observe;
  publish: Publish;
  /** Takes up what the journal holds; resolves when reality has been looked at once. */
  start(): Promise<void>;
  /** Only carries out what the journal holds: nothing outside is looked at, no agent is watched. */
  resume(): Promise<void>;
  /** Called after every commit and every effect, in order. Returns the way to stop listening. */
  onCommitted(listener: (committed: Committed) => void): () => void;
  /** Lets go of everything; agents live on. */
  stop(): void;
};

/** What an agent says of itself is a good moment to save what it did. */
const FOLLOWED_BY_CHECKPOINT: ReadonlyMap<string, string> = new Map([
  ["spool-received", "tool call"],
  ["phase-observed", "phase"],
]);

/** Outcomes after which the backlog or the configuration may have changed. */
const CHANGES_OUTSIDE: ReadonlySet<string> = new Set(["settle-issue", "land"]);

export type EngineDeps = {
  store: Store;
  ports: Ports;
  paths: Paths;
  crash: CrashPoint;
  readConfig: ReadConfig;
  /** Which effects are carried out here, and which projects are looked at. */
  wants: (row: Row) => boolean;
  scope: (project: ProjectName) => boolean;
  /** False: projects are looked at only where a caller asks for it. */
  observes?: boolean;
  onError: (error: unknown, about: string) => void;
};

export function createEngine(deps: EngineDeps): Engine {
  const { store, ports, paths, crash } = deps;
  const { clock } = ports;
  const listeners = new Set<(committed: Committed) => void>();
  const loop = createLoop({ store, crash, onCommitted: (committed) => committedHere(committed) });
  const publish = createPublish({
    store,
    publisher: ports.publisher,
    clock,
    paths,
    onError: (error) => deps.onError(error, "publish"),
  });
  const observe = createObserve({
    store,
    ports,
    loop,
    clock,
    scope: (project) => deps.observes !== false && deps.scope(project),
    readConfig: deps.readConfig,
    onError: (error) => deps.onError(error, "observe"),
  });
  const checkpointer = new Checkpointer({
    ports,
    paths,
    loop,
    onError: (error) => deps.onError(error, "checkpoint"),
  });
  const watch = createWatch({
    ports,
    paths,
    loop: { submit: submitSeen },
    onError: (error) => deps.onError(error, "watch"),
  });
  const outbox = createOutbox({
    store,
    clock,
    loop,
    execute: createExecute({ ...deps, loop, publish, watch }),
    wants: (row) => deps.scope(projectOf(row.aggregate)) && deps.wants(row),
    onDone: (row) => {
      if (CHANGES_OUTSIDE.has(row.effect.kind)) observe.nudge(projectOf(row.aggregate));
      // An effect without an outcome changes no aggregate, and yet there is less to do now.
      tell({ changed: [], effects: [], cancelled: [] });
    },
    onError: (error, row) => deps.onError(error, `${row.effect.kind} of ${row.aggregate}`),
  });
  const deadlines = createDeadlines({
    store,
    clock,
    loop,
    onError: (error) => deps.onError(error, "deadlines"),
  });
  const checkpointPush = new CheckpointPush({
    store,
    ports,
    onError: (error) => deps.onError(error, "copy checkpoints"),
  });

  async function submitSeen(input: Input): Promise<boolean> {
    const taken = await loop.submit(input);
    const why = FOLLOWED_BY_CHECKPOINT.get(input.event.kind);
    if (why !== undefined && taken) checkpointer.nudge(input.to, why);
    return taken;
  }

  function syncRun(state: AggregateState): void {
    if (state.kind !== "run") return;
    watch.sync(state);
    checkpointer.sync(state);
    checkpointPush.sync(state);
  }

  function committedHere(committed: Committed): void {
    for (const { state } of committed.changed) syncRun(state);
    outbox.accept(committed);
    publish.changed(committed.changed.map((changed) => changed.id));
    deadlines.schedule();
    tell(committed);
  }

  function tell(committed: Committed): void {
    for (const listener of listeners) listener(committed);
  }

  async function start(): Promise<void> {
    const all = (await store.aggregates()).filter(({ id }) => deps.scope(projectOf(id)));
    checkpointer.start();
    checkpointPush.start();
    for (const { state } of all) syncRun(state);
    publish.changed(all.map(({ id }) => id));
    await outbox.resume();
    for (const { id, state } of all) {
      if (state.kind !== "queue") continue;
      await loop.submit({ to: id, event: { kind: "daemon-started", at: clock.now() } });
    }
    for (const id of all.map((stored) => stored.id).filter(isProject)) await lookAt(id);
    deadlines.schedule();
  }

  async function resume(): Promise<void> {
    await outbox.resume();
    deadlines.schedule();
  }

  async function lookAt(id: AggregateId): Promise<void> {
    try {
      await observe.look(projectOf(id));
    } catch (error) {
      // One project that cannot be looked at must not keep the others from being served.
      deps.onError(error, `look at ${id}`);
    }
  }

  return {
    loop,
    outbox,
    observe,
    publish,
    start,
    resume,
    onCommitted: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      outbox.stop();
      deadlines.stop();
      watch.stop();
      checkpointer.stop();
      checkpointPush.stop();
      observe.stop();
    },
  };
}

const isProject = (id: AggregateId): boolean => id.startsWith("project:");
