// `pawl down --kill-agents`: every agent is stopped on purpose and its work saved. Nothing starts
// it again by itself; `pawl retry` goes on in the same workspace. `pawl stop` does the same for one
// run where no daemon is there to do it.
import type { Hono } from "hono";
import type { EffectKind } from "../../core/effect.ts";
import { projectName, runAggregate, runId, type AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { isLive } from "../../core/session/session.ts";
import { oneAtATime } from "../../lib/one-at-a-time.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { crashPointFrom } from "../engine/crash-point.ts";
import { everyProject, openFactory, type Factory, type FactoryPlace } from "../host/factory.ts";
import { noLog } from "../host/no-log.ts";
import type { Row } from "../engine/outbox.ts";

/** How long agents may take to end and their work to be saved. */
const AGENTS_END_MS = 60_000;

/** An agent has ended and its work is saved when none of these is left to do. */
const ENDING: ReadonlySet<EffectKind> = new Set<EffectKind>(["end-session", "checkpoint"]);

/** The caller sees to it that no new session is started meanwhile. */
export async function endAgents(factory: Factory, scope: (run: Run) => boolean): Promise<void> {
  const { engine, store, ports } = factory;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const concerned = async (): Promise<Run[]> =>
    (await store.aggregates()).flatMap(({ state }) =>
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
  const timer = ports.clock.after(AGENTS_END_MS, () => {
    living().then((runs) => reject(notEnded(runs)), reject);
  });
  try {
    await look();
    await promise;
  } finally {
    timer.cancel();
    stopListening();
  }
}

const notEnded = (runs: Run[]): OperationError =>
  new OperationError(
    `cannot end all agents within ${AGENTS_END_MS / 1000} s: ${runs.map((run) => run.identity).join(", ")}`,
    { code: "agents-live", hint: "see `pawl agents`, and try `pawl down --kill-agents` again" },
  );

/** A start that is no longer carried out has no agent; one that is under way does. */
function holdsAgent({ engine }: Factory, run: Run): boolean {
  if (!isLive(run.session)) return false;
  if (run.session.status !== "spawning") return true;
  const id = runAggregate(run.project, run.id);
  return engine.outbox
    .pending()
    .some((row) => row.aggregate === id && row.effect.kind === "spawn-session");
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
