// The parts of an engine, made in the order they need each other. Who is told what is engine.ts's.
import { projectOf, type AggregateId, type ProjectName } from "../../core/ids.ts";
import { isOutage } from "../../lib/operation-error.ts";
import { CheckpointPush } from "../checkpoints/checkpoint-push.ts";
import { Checkpointer } from "../checkpoints/checkpointer.ts";
import { ClockJumps } from "./clock-jumps.ts";
import { createDeadlines } from "./deadlines.ts";
import { createSerial } from "../../adapters/shared/serial.ts";
import { createExecute } from "../effects/execute.ts";
import type { EngineDeps } from "./engine.ts";
import { createLoop, type Committed, type Input, type WholeLoop } from "./loop.ts";
import { createObserve } from "../observing/observe.ts";
import { createOutbox, type Outbox, type Row } from "./outbox.ts";
import { createPatrols, type Patrols } from "../patrol/patrols.ts";
import { restartComponent } from "../patrol/restart-component.ts";
import { createPublish } from "../publishing/publish.ts";
import { GatewaySteering } from "../sessions/steer-gateways.ts";
import { createWatch } from "../sessions/watch.ts";

export type EngineEvents = {
  onCommitted: (committed: Committed) => void;
  /** An effect's outcome is in the journal. */
  onDone: (row: Row) => void;
  /** What a session was seen to say is in the journal. */
  onSeen: (input: Input) => void;
  /** Whether an aggregate that is due may be woken. */
  mayPass: (id: AggregateId) => boolean;
};

export type EngineParts = ReturnType<typeof createParts>;

export function createParts(deps: EngineDeps, events: EngineEvents) {
  const { store, ports, paths } = deps;
  const { clock } = ports;
  const failing = (about: string) => (error: unknown) => deps.onError(error, about);
  const seeing = createSeeing(deps, events, (project) =>
    outbox.hurry((row) => projectOf(row.aggregate) === project),
  );
  const { loop, jumps, publish, watch, observe } = seeing;
  const turns = createSerial();
  const outbox: Outbox = createOutbox({
    store,
    clock,
    loop,
    execute: createExecute({
      ...deps,
      loop,
      publish,
      watch,
      turns,
      restart: (project, component) =>
        restartComponent({ store, clock, ...seeing, outbox, patrols }, { project, component }),
    }),
    wants: (row) => deps.scope(projectOf(row.aggregate)) && deps.wants(row),
    notes: deps.notes,
    onDone: events.onDone,
    onError: (error, row) => {
      deps.onError(error, `${row.effect.kind} of ${row.aggregate}`);
      // So that status says why, and what waits goes on as soon as it can.
      if (isOutage(error)) observe.nudge(projectOf(row.aggregate));
    },
  });
  const around = { store, ports, paths, loop, observe, outbox, scope: deps.scope };
  const patrols: Patrols = createPatrols({
    ...around,
    doctor: deps.doctor,
    keeper: deps.keeper,
    onError: failing("patrol"),
  });
  return {
    ...seeing,
    outbox,
    patrols,
    turns,
    deadlines: createDeadlines({
      store,
      clock,
      loop,
      jumps,
      mayPass: events.mayPass,
      onError: failing("deadlines"),
    }),
    gateways: new GatewaySteering({ ports, paths, onError: failing("steer a gateway") }),
    checkpointer: new Checkpointer({ ports, paths, loop, onError: failing("checkpoint") }),
    checkpointPush: new CheckpointPush({ store, ports, onError: failing("copy checkpoints") }),
  };
}

/** What takes facts in, and shows what follows. */
function createSeeing(
  deps: EngineDeps,
  events: EngineEvents,
  onRecovered: (project: ProjectName) => void,
) {
  const { store, ports, paths, crash } = deps;
  const { clock, publisher } = ports;
  const failing = (about: string) => (error: unknown) => deps.onError(error, about);
  const jumps = new ClockJumps({
    store,
    clock,
    loop: createLoop({ store, crash, onCommitted: events.onCommitted }),
    onError: failing("deadlines"),
  });
  const { loop } = jumps;
  const publish = createPublish({ store, publisher, clock, paths, onError: failing("publish") });
  const seen = async (input: Input): Promise<boolean> => {
    const taken = await loop.submit(input);
    if (taken) events.onSeen(input);
    return taken;
  };
  const watched: WholeLoop = {
    submit: seen,
    submitAll: async (inputs) => {
      await loop.submitAll(inputs);
      for (const input of inputs) events.onSeen(input);
    },
  };
  const watch = createWatch({
    store,
    ports,
    paths,
    loop: watched,
    answer: deps.answer,
    onError: failing("watch"),
  });
  const observe = createObserve({
    store,
    ports,
    loop,
    clock,
    scope: (project) => deps.observes !== false && deps.scope(project),
    readConfig: deps.readConfig,
    otherUpstream: deps.otherUpstream,
    onError: failing("observe"),
    onRecovered,
  });
  return { loop, jumps, publish, watch, observe };
}
