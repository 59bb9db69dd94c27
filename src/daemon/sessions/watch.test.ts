import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { PROJECT, testRun, testSession } from "../../../test/support/run.ts";
import { runAggregate, runId, sessionId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { PaneObservation } from "../../ports/terminal.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createLoop, type Committed } from "../engine/loop.ts";
import { pathsOf } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import { createWatch } from "./watch.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const SECOND_MS = 1000;

const liveRun = (issue: number): Run =>
  testRun({
    id: runId(`${issue}.1`),
    session: testSession({
      id: sessionId(PROJECT, `dev-${issue}`, 1),
      process: { pid: issue, startTime: "1" },
      pane: { socket: "pawl", tmuxSession: `dev-${issue}`, pane: `%${issue}` },
    }),
  });

const idOf = (issue: number) => runAggregate(PROJECT, runId(`${issue}.1`));

/** Sessions of processes that live, with empty folders. */
async function world(issues: number[], onRead: (path: string) => void = () => undefined) {
  const clock = new SimClock();
  const store = createMemoryStore();
  const commits: Committed[] = [];
  const loop = createLoop({ store, crash: noCrash, onCommitted: (one) => void commits.push(one) });
  const shown: { panes: PaneObservation[] | "unknown" } = { panes: [] };
  const empty = { phase: undefined, spool: [], acknowledged: [], exit: undefined };
  const ports = {
    clock,
    terminal: {
      panes: async () => shown.panes,
      screens: async () => new Map(),
      cpu: async () => new Map(),
      probe: async () => "alive",
    },
    sessionFiles: {
      watch: () => ({ close: () => undefined }),
      read: async ({ path }: { path: string }) => {
        onRead(path);
        return empty;
      },
    },
    workspaces: { stamp: async () => undefined },
    agent: () => ({}),
  } as unknown as Ports;
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const watch = createWatch({ store, ports, paths: pathsOf("/h", "/r"), loop, onError });
  const begin = async (issue: number): Promise<void> => {
    const run = liveRun(issue);
    await store.transaction((tx) => tx.save(idOf(issue), run, undefined));
    watch.sync(run);
  };
  for (const issue of issues) await begin(issue);
  const pass = async (durationMs: number): Promise<void> => {
    const until = clock.monotonicMs() + durationMs;
    await settled();
    while (clock.advance(until)) await settled();
  };
  /** Which runs each commit since the last question changed. */
  const told = (): string[][] => {
    return commits.splice(0).map(({ changed }) => changed.map(({ id }) => id));
  };
  return { pass, told, begin, errors, store, watch, shown };
}

test("the sessions that are due at a look are noted in one transaction", async () => {
  const { pass, told } = await world([1, 2, 3]);
  await pass(2 * SECOND_MS);
  expect(told()).toEqual([[idOf(1), idOf(2), idOf(3)]]);
  await pass(40 * SECOND_MS);
  expect(told(), "none is due yet").toEqual([]);
});

test("hundreds of sessions are noted in parts, so that no commit keeps the daemon from all else for long", async () => {
  const issues = Array.from({ length: 200 }, (_, n) => n + 1);
  const { pass, told } = await world(issues);
  await pass(2 * SECOND_MS);
  const parts = told();
  expect(parts.flat()).toEqual(issues.map(idOf));
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(32);
});

test("a session that began later is soon noted together with the others, and none is late", async () => {
  const { pass, told, begin } = await world([1]);
  await pass(35 * SECOND_MS);
  await begin(2);
  await pass(10 * SECOND_MS);
  expect(told()).toEqual([[idOf(1)], [idOf(1), idOf(2)]]);
  for (let minute = 0; minute < 5; minute += 1) {
    await pass(60 * SECOND_MS);
    const noted = told();
    expect(noted.length).toBeGreaterThan(0);
    for (const one of noted) expect(one).toEqual([idOf(1), idOf(2)]);
  }
});

test("a session whose folder cannot be read does not stop reports about the others", async () => {
  const { pass, told, errors } = await world([1, 2, 3], (path) => {
    if (path.includes("/1.1/")) throw new OperationError(`cannot read ${path}`, { code: "gone" });
  });
  await pass(2 * SECOND_MS);
  expect(told()).toEqual([[idOf(2), idOf(3)]]);
  expect(errors).toContainEqual(expect.any(OperationError));
});

test("a run that cannot be stepped, by a bug, keeps no other from being seen", async () => {
  const { pass, told, errors, store } = await world([1, 2, 3]);
  const broken = { kind: "queue", project: PROJECT } as never;
  await store.transaction((tx) => tx.save(idOf(2), broken, undefined));
  await pass(2 * SECOND_MS);
  expect(told()).toEqual([[idOf(1)], [idOf(3)]]);
  expect(errors.map(String)).toContainEqual(expect.stringContaining("was to be stepped"));
});

test("a session that ended while others were looked at is not noted", async () => {
  let isDue = false;
  const { pass, told, watch } = await world([1, 2], (path) => {
    if (!isDue || !path.includes("/2.1/")) return;
    watch.sync({ ...liveRun(1), session: testSession({ status: "ended" }) });
  });
  await settled();
  isDue = true;
  await pass(2 * SECOND_MS);
  expect(told()).toEqual([[idOf(2)]]);
});

test("while tmux does not answer, a person who is attached is not said to have left", async () => {
  const { pass, shown, store } = await world([1]);
  const pane = { pane: "%1", attached: true, activeAtS: 0 } as unknown as PaneObservation;
  const isAttached = async (): Promise<unknown> => {
    const run = (await store.load(idOf(1)))?.state;
    return run?.kind === "run" && run.session?.attached;
  };
  shown.panes = [pane];
  await pass(2 * SECOND_MS);
  expect(await isAttached()).toBe(true);
  shown.panes = "unknown";
  await pass(120 * SECOND_MS);
  expect(await isAttached()).toBe(true);
  shown.panes = [{ ...pane, attached: false }];
  await pass(20 * SECOND_MS);
  expect(await isAttached()).toBe(false);
});
