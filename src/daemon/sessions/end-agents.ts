// `pawl down --kill-agents`: every agent is stopped on purpose and its work saved. Nothing starts
// it again by itself; `pawl retry` goes on in the same workspace. `pawl stop` does the same for one
// run where no daemon is there to do it. In a daemon the effect `end-session` ends a session
// (effects/session-effects.ts).
import type { Hono } from "hono";
import type { EffectKind } from "../../core/effect.ts";
import { projectName, runAggregate, runId, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { isLive } from "../../core/session/session.ts";
import { oneAtATime } from "../../lib/one-at-a-time.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { crashPointFrom } from "../engine/crash-at.ts";
import { everyProject, openFactory, type FactoryPlace } from "../host/factory.ts";
import { noLog } from "../host/no-log.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import type { Loop } from "../engine/loop.ts";
import type { Outbox, Row } from "../engine/outbox.ts";

/** After this, and again after this, it is asked whether an end can still come. */
const PATIENCE_MS = 60_000;
/** A large workspace takes minutes to be saved, on a busy machine many. */
const AGENTS_END_MAX_MS = 15 * 60_000;

/** An agent has ended and its work is saved when none of these is left to do. */
const ENDING: ReadonlySet<EffectKind> = new Set<EffectKind>(["end-session", "checkpoint"]);

const STARTING: ReadonlySet<EffectKind> = new Set<EffectKind>(["spawn-session"]);
/** What keeps an agent from being gone. */
const UNTIL_GONE: ReadonlySet<EffectKind> = new Set<EffectKind>([...ENDING, ...STARTING]);

type Place = {
  store: Pick<Store, "aggregates" | "outbox">;
  ports: { clock: Clock };
  engine: {
    loop: Loop;
    onCommitted: (listener: () => void) => () => void;
    outbox: Pick<Outbox, "pending">;
  };
};

/** The caller sees to it that no new session is started meanwhile. */
export async function endAgents(factory: Place, scope: (run: Run) => boolean): Promise<void> {
  const { engine, store, ports } = factory;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const concerned = async (): Promise<Run[]> =>
    (await store.aggregates({ kind: "run" })).flatMap(({ state }) =>
      state.kind === "run" && scope(state) ? [state] : [],
    );
  const living = async (): Promise<Run[]> =>
    (await concerned()).filter((run) => holdsAgent(factory, run));
  // Stopping one commits, and every commit asks for another look.
  const look = oneAtATime(async () => {
    const runs = await living();
    for (const run of runs.filter((one) => one.stopped === undefined)) {
      const event = { kind: "run-stopped", at: ports.clock.now(), by: "pawl down" } as const;
      await engine.loop.submit({ to: runAggregate(run.project, run.id), event });
    }
    const ids = new Set((await concerned()).map((run) => runAggregate(run.project, run.id)));
    const left = (await store.outbox()).some(
      (row) => ENDING.has(row.effect.kind) && ids.has(row.aggregate),
    );
    if (runs.length === 0 && !left) resolve();
  });
  const stopListening = engine.onCommitted(() => {
    look().catch(reject);
  });
  const began = ports.clock.now();
  let timer: Timer | undefined;
  const ask = (): void => {
    timer = ports.clock.after(PATIENCE_MS, () => {
      const tookMs = ports.clock.now() - began;
      concerned()
        .then((runs) => {
          const left = runs.filter((run) => isLeft(factory, run));
          const stuck = left.filter((run) => isStuck(factory, run));
          if (tookMs >= AGENTS_END_MAX_MS) reject(notEnded(left, tookMs));
          else if (stuck.length > 0) reject(notEnded(stuck, tookMs));
          else ask();
        })
        .catch(reject);
    });
  };
  ask();
  try {
    // Both at once: a failure of the other must not go unhandled while one is waited for.
    await Promise.all([look(), promise]);
  } finally {
    timer?.cancel();
    stopListening();
  }
}

const rowsOf = ({ engine }: Place, run: Run, kinds: ReadonlySet<EffectKind>): Row[] => {
  const id = runAggregate(run.project, run.id);
  return engine.outbox
    .pending()
    .filter(({ aggregate, effect }) => aggregate === id && kinds.has(effect.kind));
};

const isLeft = (factory: Place, run: Run): boolean =>
  holdsAgent(factory, run) || rowsOf(factory, run, ENDING).length > 0;

/** What is being done for the first time takes its time; what failed before may fail again. */
function isStuck(factory: Place, run: Run): boolean {
  const rows = rowsOf(factory, run, UNTIL_GONE);
  return rows.length === 0 || rows.some(({ attempts }) => attempts > 0);
}

const notEnded = (runs: Run[], tookMs: number): OperationError =>
  new OperationError(
    `cannot end all agents within ${Math.round(tookMs / 1000)} s: ${runs.map((run) => run.identity).join(", ")}`,
    {
      code: "agents-live",
      hint: "daemon.log says why; see `pawl agents`, and try `pawl down --kill-agents` again",
    },
  );

/** A start that is no longer carried out has no agent; one that is under way does. */
function holdsAgent(factory: Place, run: Run): boolean {
  if (!isLive(run.session)) return false;
  return run.session.status !== "spawning" || rowsOf(factory, run, STARTING).length > 0;
}

/** Where no daemon runs, a command opens the factory for just this. */
export async function endAgentsHere(place: FactoryPlace): Promise<void> {
  let resuming = true;
  // A start that a dead daemon left under way is finished first, to know what to end.
  await using factory = await openFor(
    place,
    (row) => ENDING.has(row.effect.kind) || (resuming && row.effect.kind === "spawn-session"),
  );
  await factory.engine.outbox.resume();
  resuming = false;
  await endAgents(factory, () => true);
}

/** The same for one run, which `work` has stopped and then wants to see ended. */
export async function endRunHere<T>(
  place: FactoryPlace,
  work: (
    app: Hono,
    end: (stopped: { project: string; run: string }) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  let wanted: AggregateId | undefined;
  await using factory = await openFor(
    place,
    ({ aggregate, effect }) =>
      aggregate === wanted && (ENDING.has(effect.kind) || effect.kind === "spawn-session"),
  );
  return await work(factory.app, async ({ project, run }) => {
    wanted = runAggregate(projectName(project), runId(run));
    await factory.engine.outbox.resume();
    await endAgents(factory, (one) => runAggregate(one.project, one.id) === wanted);
  });
}

async function openFor(place: FactoryPlace, wants: (row: Row) => boolean) {
  const factory = await openFactory({
    ...place,
    log: noLog,
    crash: crashPointFrom(process.env),
    scope: everyProject,
    wants,
    daemon: null,
  });
  return { ...factory, [Symbol.asyncDispose]: () => factory.close() };
}
