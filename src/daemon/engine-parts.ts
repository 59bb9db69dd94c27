// The parts of an engine, made in the order they need each other. Who is told what is engine.ts's.
import { projectOf } from "../core/ids.ts";
import { CheckpointPush } from "./checkpoint-push.ts";
import { Checkpointer } from "./checkpointer.ts";
import { createDeadlines } from "./deadlines.ts";
import { createExecute } from "./effects.ts";
import type { EngineDeps } from "./engine.ts";
import { createLoop, type Committed, type Input } from "./loop.ts";
import { createObserve } from "./observe.ts";
import { createOutbox, type Row } from "./outbox.ts";
import { createPublish } from "./publish.ts";
import { createWatch } from "./watch.ts";

export type EngineEvents = {
  onCommitted: (committed: Committed) => void;
  /** An effect's outcome is in the journal. */
  onDone: (row: Row) => void;
  /** What a session was seen to say is in the journal. */
  onSeen: (input: Input) => void;
};

export type EngineParts = ReturnType<typeof createParts>;

export function createParts(deps: EngineDeps, events: EngineEvents) {
  const { store, ports, paths, crash } = deps;
  const { clock } = ports;
  const failing = (about: string) => (error: unknown) => deps.onError(error, about);
  const loop = createLoop({ store, crash, onCommitted: events.onCommitted });
  const { publisher } = ports;
  const publish = createPublish({ store, publisher, clock, paths, onError: failing("publish") });
  const seen = async (input: Input): Promise<boolean> => {
    const taken = await loop.submit(input);
    if (taken) events.onSeen(input);
    return taken;
  };
  const watched = { submit: seen };
  const watch = createWatch({ store, ports, paths, loop: watched, onError: failing("watch") });
  return {
    loop,
    publish,
    watch,
    observe: createObserve({
      store,
      ports,
      loop,
      clock,
      scope: (project) => deps.observes !== false && deps.scope(project),
      readConfig: deps.readConfig,
      onError: failing("observe"),
    }),
    outbox: createOutbox({
      store,
      clock,
      loop,
      execute: createExecute({ ...deps, loop, publish, watch }),
      wants: (row) => deps.scope(projectOf(row.aggregate)) && deps.wants(row),
      onDone: events.onDone,
      onError: (error, row) => deps.onError(error, `${row.effect.kind} of ${row.aggregate}`),
    }),
    deadlines: createDeadlines({ store, clock, loop, onError: failing("deadlines") }),
    checkpointer: new Checkpointer({ ports, paths, loop, onError: failing("checkpoint") }),
    checkpointPush: new CheckpointPush({ store, ports, onError: failing("copy checkpoints") }),
  };
}
