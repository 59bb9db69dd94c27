import { expect, test, vi } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { PROJECT } from "../../../test/support/run.ts";
import type { Event } from "../../core/event.ts";
import { runAggregate, runId } from "../../core/ids.ts";
import { OUTCOME_REFUSED, POISON } from "../../core/quarantine.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { createMemoryStore } from "../../store/memory.ts";
import type { Death } from "./death-notes.ts";
import type { Input } from "./loop.ts";
import { createOutbox, type Execute, type Outbox } from "./outbox.ts";

/** A guard only: a busy machine takes its time. */
const PATIENT = { timeout: 20_000 };

const aggregate = runAggregate(PROJECT, runId("1.1"));
const effect = { kind: "fetch-branch", identity: "dev-1", branch: "b", ordinal: 1 } as const;
const fetched: Event = { kind: "workspace-removed", at: 0 };

async function world(execute: Execute, death?: Death, refuses = false) {
  const store = createMemoryStore();
  const clock = new SimClock();
  await store.transaction((tx) => tx.enqueue({ key: "k", aggregate, lane: "l", effect }));
  const told: Event[] = [];
  let note = death;
  const submit = async ({ event, settles }: Input): Promise<boolean> => {
    if (refuses && event.kind !== "effect-failed") throw new TypeError("an assertion");
    told.push(event);
    if (settles !== undefined) await store.transaction((tx) => tx.settle(settles));
    return true;
  };
  const start = () =>
    createOutbox({
      store,
      clock,
      loop: { submit },
      execute,
      wants: () => true,
      onDone: () => undefined,
      onError: () => undefined,
      notes: {
        during: (_, work) => work(),
        last: () => note,
        forget: () => {
          note = undefined;
        },
        close: () => undefined,
      },
    });
  const die = (id: string): void => {
    note = { id, key: "k", message: "Invalid string length" };
  };
  return { store, clock, told, start, die };
}

test("an outcome that an assertion refuses is given up after a few tries, and a person hears of it", async () => {
  let executed = 0;
  const { store, clock, told, start } = await world(
    async () => {
      executed += 1;
      return fetched;
    },
    undefined,
    true,
  );
  await start().resume();
  await clock.until(clock.sleep(3_600_000));
  expect(executed).toBe(3);
  expect(told).toMatchObject([{ kind: "effect-failed", failed: { code: OUTCOME_REFUSED } }]);
  expect(await store.outbox()).toEqual([]);
});

test("an effect that two daemons died of is not started by the third", async () => {
  let executed = 0;
  const { store, told, start, die } = await world(() => {
    executed += 1;
    return new Promise(() => undefined);
  });
  await start().resume();
  die("first");
  await start().resume();
  die("second");
  await start().resume();
  await vi.waitUntil(() => told.length > 0, PATIENT);
  expect(executed).toBe(2);
  expect(told).toMatchObject([{ kind: "effect-failed", failed: { code: POISON } }]);
  expect(String(told[0]?.kind === "effect-failed" && told[0].failed.message)).toContain(
    "died 2 times while it carried out fetch-branch: Invalid string length",
  );
  expect(await store.outbox()).toEqual([]);
});

test("one death that is found twice counts once, and being killed from outside counts nothing", async () => {
  let executed = 0;
  const { told, start, die } = await world(() => {
    executed += 1;
    return new Promise(() => undefined);
  });
  for (let life = 0; life < 10; life += 1) {
    if (life % 3 === 0) die("first");
    await start().resume();
  }
  expect([executed, told]).toEqual([10, []]);
});

test("giving up a poisoned effect at the start may cancel later ones, and overtakes none", async () => {
  const store = createMemoryStore();
  await store.transaction(async (tx) => {
    for (const key of ["poison", "cancelled", "older"]) {
      await tx.enqueue({ key, aggregate, lane: "l", effect });
    }
    await tx.records.put("deaths", "poison", { count: 2, last: "1", message: "m" });
  });
  const ran: string[] = [];
  const submit = async ({ event, settles }: Input): Promise<boolean> => {
    if (settles !== undefined) await store.transaction((tx) => tx.settle(settles));
    if (event.kind !== "effect-failed") return true;
    await store.transaction((tx) => tx.settle("cancelled"));
    const newer = { key: "newer", aggregate, lane: "l", effect };
    outbox.accept({ cancelled: ["cancelled"], effects: [newer] });
    return true;
  };
  const outbox: Outbox = createOutbox({
    store,
    clock: new SimClock(),
    loop: { submit },
    execute: async ({ key }) => {
      ran.push(key);
      return fetched;
    },
    wants: () => true,
    onDone: () => undefined,
    onError: () => undefined,
    notes: {
      during: (_, work) => work(),
      last: () => undefined,
      forget: () => undefined,
      close: () => undefined,
    },
  });
  await outbox.resume();
  await vi.waitUntil(() => ran.includes("newer"), PATIENT);
  await vi.waitUntil(() => outbox.pending().length === 0, PATIENT);
  expect(ran).toEqual(["older", "newer"]);
});

test("effects that may have aborted a daemon are carried out one at a time", async () => {
  const store = createMemoryStore();
  await store.transaction(async (tx) => {
    for (const key of ["a", "b", "c"]) await tx.enqueue({ key, aggregate, lane: key, effect });
  });
  const underWay = new Set<string>();
  const together: string[] = [];
  const ends: (() => void)[] = [];
  const execute: Execute = async ({ key }) => {
    underWay.add(key);
    together.push([...underWay].join("+"));
    await new Promise<void>((resolve) => void ends.push(resolve));
    underWay.delete(key);
    return undefined;
  };
  const outbox = createOutbox({
    store,
    clock: new SimClock(),
    loop: { submit: async () => true },
    execute,
    wants: () => true,
    onDone: () => undefined,
    onError: () => undefined,
    notes: {
      during: (_, work) => work(),
      last: () => undefined,
      aborted: () => ({ id: "1", keys: ["a", "b"] }),
      forget: () => undefined,
      close: () => undefined,
    },
  });
  await outbox.resume();
  await vi.waitUntil(() => together.length === 2, PATIENT);
  expect(together).toEqual(["a", "a+c"]);
  ends[0]?.();
  await vi.waitUntil(() => together.length === 3, PATIENT);
  expect(together.at(-1)).toBe("c+b");
});

test("an effect that is cancelled while its failure is written down is not tried again", async () => {
  const store = createMemoryStore();
  const clock = new SimClock();
  await store.transaction((tx) => tx.enqueue({ key: "k", aggregate, lane: "l", effect }));
  let executed = 0;
  const outbox: Outbox = createOutbox({
    store,
    clock,
    loop: { submit: async () => true },
    execute: async () => {
      executed += 1;
      throw new OperationError("cannot fetch", { code: "unreachable", retryable: true });
    },
    wants: () => true,
    onDone: () => undefined,
    onError: () => outbox.accept({ cancelled: ["k"], effects: [] }),
  });
  await outbox.resume();
  await clock.until(clock.sleep(3_600_000));
  expect([executed, outbox.pending()]).toEqual([1, []]);
});

test.each([
  ["of the effect itself", () => full()],
  ["of a program it starts", () => new OperationError("m", { code: "c", cause: full() })],
])(
  "a full disk (%s) gives no effect up: it is tried again, and the pauses grow",
  async (_, error) => {
    const began: number[] = [];
    const { store, clock, told, start } = await world(async () => {
      began.push(clock.now());
      if (began.length < 5) throw error();
      return fetched;
    });
    const from = clock.now();
    await start().resume();
    await clock.until(clock.sleep(60_000));
    expect(began.map((at) => at - from)).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(told).toEqual([fetched]);
    expect(await store.outbox()).toEqual([]);
  },
);

const full = (): Error =>
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

test("a wall clock that is set right delays a failed effect by no more than its longest back-off", async () => {
  let executed = 0;
  const { store, clock, told, start } = await world(async () => {
    executed += 1;
    if (executed === 1) throw new OperationError("down", { code: "down", retryable: true });
    return fetched;
  });
  // It was a week ahead when the effect failed.
  clock.jump(7 * 86_400_000);
  const first = start();
  await first.resume();
  await vi.waitUntil(async () => (await store.outbox())[0]?.attempts === 1, PATIENT);
  clock.jump(-7 * 86_400_000);
  first.stop();
  // The next daemon reads the time from the journal.
  await start().resume();
  await clock.until(clock.sleep(300_000));
  expect([executed, told]).toEqual([2, [fetched]]);
});

test("an outbox that reads its rows again while one of them ends carries that one out once", async () => {
  let executed = 0;
  let finish: (() => void) | undefined;
  const { store, told, start } = await world(async () => {
    executed += 1;
    await new Promise<void>((resolve) => (finish = resolve));
    return fetched;
  });
  const outbox = start();
  await outbox.resume();
  await vi.waitUntil(() => finish !== undefined, PATIENT);
  // The rows are read, and then the effect ends.
  const read = store.outbox.bind(store);
  store.outbox = async () => {
    const rows = await read();
    finish?.();
    await vi.waitUntil(() => outbox.pending().length === 0, PATIENT);
    return rows;
  };
  await outbox.resume();
  expect([executed, told, outbox.pending()]).toEqual([1, [fetched], []]);
});
