import { expect, test } from "vitest";
import { PROJECT, testRun, testSession } from "../../../test/support/run.ts";
import { runAggregate } from "../../core/ids.ts";
import { noCrash } from "../../lib/crash-point.ts";
import type { SessionSnapshot } from "../../ports/session-files.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createLoop, type Committed } from "../engine/loop.ts";
import type { Ports } from "../engine/ports.ts";
import { pathsOf } from "../host/paths.ts";
import { createIntake } from "./session-intake.ts";

const said = (name: string) => ({ name, text: JSON.stringify({ v: 1, kind: "tool", at: 1 }) });

async function makeIntake(refuse: () => void = () => undefined) {
  const store = createMemoryStore();
  const commits: Committed[] = [];
  const removed: string[] = [];
  const loop = createLoop({ store, crash: noCrash, onCommitted: (one) => void commits.push(one) });
  const ports = {
    clock: { now: () => 1000 },
    agent: () => ({}),
    sessionFiles: {
      removeSpool: async ({ name }: { name: string }) => {
        refuse();
        removed.push(name);
      },
    },
  } as unknown as Ports;
  const run = testRun({ session: testSession() });
  const to = runAggregate(PROJECT, run.id);
  await store.transaction((tx) => tx.save(to, run, undefined));
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const deps = { store, ports, paths: pathsOf("/h", "/r"), loop, onError };
  const intake = createIntake(deps, run, run.session?.epoch ?? 1);
  const take = (
    spool: SessionSnapshot["spool"],
    rest: Partial<SessionSnapshot> = {},
  ): Promise<boolean> =>
    intake.take({
      spool,
      phase: undefined,
      acknowledged: [],
      exit: undefined,
      process: undefined,
      ...rest,
    });
  const kept = async (): Promise<number> => (await store.events({ to, limit: 99 })).length;
  const status = async (): Promise<unknown> => {
    const state = (await store.load(to))?.state;
    return state?.kind === "run" && state.session?.status;
  };
  return { take, commits, removed, kept, status, errors };
}

test("events that lie in the spool together are committed together, in order, and then removed", async () => {
  const { take, commits, removed, kept } = await makeIntake();
  await take([said("1"), said("2"), said("3")]);
  expect(commits).toHaveLength(1);
  expect(await kept()).toBe(3);
  expect(removed).toEqual(["1", "2", "3"]);
});

test("an event that was committed before its file was removed is not taken in twice", async () => {
  const { take, kept } = await makeIntake();
  await take([said("1")]);
  await take([said("1"), said("2")]);
  expect(await kept()).toBe(2);
});

test("letters, acknowledgements and the phase that one look finds are one commit", async () => {
  const { take, commits, kept } = await makeIntake();
  const phase = { stamp: "s1", text: "PHASE:awaiting_ci\n" };
  await take([said("1"), said("2")], { acknowledged: ["m1", "m2"], phase });
  expect(commits).toHaveLength(1);
  expect(await kept()).toBeGreaterThanOrEqual(3);
  await take([], { acknowledged: ["m1", "m2"], phase });
  expect(commits, "nothing of it is new").toHaveLength(1);
});

test("the end of a session that locked its own spool is heard, and the lock is reported", async () => {
  const { take, status, errors } = await makeIntake(() => {
    throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
  });
  await take([said("1")], { exit: { code: 0, signal: null, startedAt: 1, endedAt: 2 } });
  expect(await status()).not.toBe("live");
  expect(errors.map(String)).toEqual([expect.stringContaining("EACCES")]);
});
