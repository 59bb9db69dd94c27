import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { projectName } from "../ids.ts";
import type { Schedule, Schedules } from "./schedule.ts";
import { stepSchedule } from "./step-schedule.ts";

const project = projectName("toy");
const NIGHTLY: Schedule = {
  name: "nightly",
  when: { kind: "cron", pattern: "0 6 * * *", timeZone: "UTC" },
  work: { kind: "role", role: "gardener" },
  enabled: true,
  jitterMs: 0,
  leaseMs: 1000,
  memoryMb: 2000,
};

function story(...events: Event[]): { state: Schedules; outputs: Output[] } {
  let state: Schedules | undefined;
  const outputs = events.map((event) => {
    const output = emptyOutput();
    state = stepSchedule(state, event, output);
    return output;
  });
  if (state === undefined) throw new Error("no schedules");
  return { state, outputs };
}

const configured = (...schedules: Schedule[]): Event => ({
  kind: "schedules-configured",
  at: 1,
  project,
  schedules,
});
const planned = (at: number, next: number | undefined, freeMb = 8000): Event => ({
  kind: "schedule-planned",
  at,
  name: "nightly",
  next,
  freeMb,
  problem: next === undefined ? "never" : undefined,
});
const passed = (at: number): Event => ({ kind: "deadline-passed", at });
const ended = (at: number, kind: "done" | "failed" = "done"): Event => ({
  kind: "formula-ended",
  at,
  formula: "schedule-nightly",
  cycle: 1,
  outcome: { kind, at, reason: kind === "done" ? undefined : "exit 1" },
});
const kinds = ({ effects }: Output): string[] => effects.map(({ effect }) => effect.kind);
const at = <T>(list: T[], index: number): T => list.at(index) as T;

test("what is new is planned; what is written as before keeps its instant and writes nothing", () => {
  const { state, outputs } = story(configured(NIGHTLY), planned(2, 100), configured(NIGHTLY));
  expect(outputs.map(kinds)).toEqual([["plan-schedule"], [], []]);
  expect(at(state.entries, 0)).toMatchObject({ nextAt: 100, lease: undefined });
  const off = story(configured({ ...NIGHTLY, enabled: false }));
  expect(at(off.outputs, 0).effects).toEqual([]);
});

test("due, it is looked at once and started once, under a lease and a key of its own", () => {
  const { state, outputs } = story(
    configured(NIGHTLY),
    planned(2, 100),
    passed(99),
    passed(100),
    passed(101),
    planned(102, 200),
  );
  expect(outputs.map(kinds)).toEqual([
    ["plan-schedule"],
    [],
    [],
    ["plan-schedule"],
    [],
    ["start-scheduled"],
  ]);
  expect(at(at(outputs, 5).effects, 0).key).toBe("schedule:toy:start:nightly:1:102");
  expect(at(state.entries, 0)).toMatchObject({ nextAt: 200, lease: { until: 1102 }, count: 1 });
});

test("missed many times, it is caught up on once: the next instant lies ahead", () => {
  const { state, outputs } = story(
    configured(NIGHTLY),
    planned(2, 100),
    passed(100_000),
    planned(100_001, 100_100),
    ended(100_050),
  );
  expect(outputs.flatMap(kinds).filter((kind) => kind === "start-scheduled")).toHaveLength(1);
  expect(at(state.entries, 0).nextAt).toBe(100_100);
});

test("one at a time: due while it is under way it is skipped; the end frees it", () => {
  const under = [configured(NIGHTLY), planned(2, 100), passed(100), planned(101, 200)];
  const skipped = story(...under, passed(200), planned(201, 300));
  expect(at(skipped.state.entries, 0)).toMatchObject({ nextAt: 300, last: { result: "skipped" } });
  const free = story(...under, ended(150), passed(200), planned(201, 300));
  expect(at(free.state.entries, 0)).toMatchObject({ last: { result: "started" }, count: 2 });
  const failed = story(...under, ended(150, "failed"));
  expect(at(failed.state.entries, 0).last).toEqual({ at: 150, result: "failed", note: "exit 1" });
});

test("a lease that passes is given up on, so that the next can come", () => {
  const { state } = story(
    configured(NIGHTLY),
    planned(2, 100),
    passed(100),
    planned(101, 5000),
    passed(1101),
  );
  expect(at(state.entries, 0)).toMatchObject({ lease: undefined, last: { result: "timed out" } });
});

test("a machine that sleeps while it runs gives it that time, and no instant is moved", () => {
  const jumped: Event = { kind: "clock-jumped", at: 60_000, gapMs: 59_500 };
  const events = [configured(NIGHTLY), planned(2, 100), passed(100), planned(101, 90_000), jumped];
  const { state, outputs } = story(...events, passed(60_001));
  expect(at(state.entries, 0)).toMatchObject({ lease: { until: 60_601 }, nextAt: 90_000 });
  expect(at(outputs, -1).effects).toEqual([]);
  const idle = story(configured(NIGHTLY), planned(2, 100)).state;
  expect(stepSchedule(idle, jumped, emptyOutput())).toBe(idle);
});

test("with too little memory it is delayed by five minutes, and says so", () => {
  const { state, outputs } = story(
    configured(NIGHTLY),
    planned(2, 100),
    passed(100),
    planned(101, 500_000, 1999),
  );
  expect(at(outputs, 3).effects).toEqual([]);
  expect(at(state.entries, 0)).toMatchObject({ nextAt: 300_101, last: { result: "delayed" } });
  const enough = story(configured(NIGHTLY), planned(2, 100), passed(100), planned(101, 9, 2000));
  expect(kinds(at(enough.outputs, 3))).toEqual(["start-scheduled"]);
});

test("a person may start it at any hour, but not a second one", () => {
  const trigger = { kind: "schedule-triggered", at: 5, name: "nightly", by: "ada" } as const;
  const { outputs } = story(configured(NIGHTLY), planned(2, 100), trigger, trigger);
  expect(outputs.map((one) => kinds(one).length)).toEqual([1, 0, 1, 0]);
});

test("a schedule that is rewritten while it is under way keeps its lease", () => {
  const later = { ...NIGHTLY, leaseMs: 2000 };
  const { state } = story(
    configured(NIGHTLY),
    planned(2, 100),
    passed(100),
    planned(101, 200),
    configured(later),
  );
  expect(at(state.entries, 0)).toMatchObject({
    nextAt: undefined,
    lease: { since: 101 },
    count: 1,
  });
  expect(story(configured(NIGHTLY), configured()).state.entries).toEqual([]);
});

test("a look that fails is repeated later, and a start that fails frees the lease", () => {
  const plan = {
    kind: "plan-schedule",
    name: "nightly",
    when: NIGHTLY.when,
    jitterMs: 0,
    after: 1,
  } as const;
  const failed = (effect: Output["effects"][number]["effect"]): Event => ({
    kind: "effect-failed",
    at: 50,
    failed: { obligation: { key: "k", lane: "l", effect }, code: "x", message: "broken" },
  });
  const looked = story(configured(NIGHTLY), failed(plan)).state;
  // Its hour was never known: the second look finds it, and starts nothing.
  const second = story(
    configured(NIGHTLY),
    failed(plan),
    passed(300_050),
    planned(300_051, 400_000),
  );
  expect(second.outputs.map(kinds)).toEqual([["plan-schedule"], [], ["plan-schedule"], []]);
  expect(at(second.state.entries, 0)).toMatchObject({ nextAt: 400_000, count: 0 });
  const late = story(
    configured(NIGHTLY),
    planned(2, 40),
    passed(40),
    failed(plan),
    passed(300_050),
  );
  expect(kinds(at(late.outputs, 4))).toEqual(["plan-schedule"]);
  expect(at(late.state.entries, 0).dueAt).toBe(300_050);
  expect(at(looked.entries, 0)).toMatchObject({ nextAt: 300_050, problem: "broken" });
  const start = { kind: "start-scheduled", name: "nightly", key: "k", work: NIGHTLY.work } as const;
  const trigger = { kind: "schedule-triggered", at: 5, name: "nightly", by: "ada" } as const;
  const unstarted = story(configured(NIGHTLY), trigger, failed(start)).state;
  expect(at(unstarted.entries, 0)).toMatchObject({ lease: undefined, last: { note: "broken" } });
});

test("a schedule that comes back never uses the key of an old start", () => {
  const trigger = (at: number): Event => ({
    kind: "schedule-triggered",
    at,
    name: "nightly",
    by: "ada",
  });
  const { outputs } = story(
    configured(NIGHTLY),
    trigger(5),
    ended(6),
    configured(),
    configured(NIGHTLY),
    trigger(9),
  );
  const keys = outputs.flatMap(({ effects }) =>
    effects.flatMap(({ effect }) => (effect.kind === "start-scheduled" ? [effect.key] : [])),
  );
  expect(new Set(keys).size).toBe(2);
});

test("a failure and a start that timed out notify you, the next ones in a row do not", () => {
  const turn = (from: number, ...last: Event[]): Event[] => [
    { kind: "schedule-triggered", at: from, name: "nightly", by: "ada" },
    ...last,
  ];
  const notices = (...events: Event[]): number[] =>
    story(configured(NIGHTLY), ...events).outputs.flatMap(({ effects }) =>
      effects.flatMap(({ effect, key }) =>
        effect.kind === "notify" && effect.severity === "warning"
          ? [Number(key.replace("schedule:toy:notify:nightly:", ""))]
          : [],
      ),
    );
  const failing = [...turn(10, ended(11, "failed")), ...turn(20, passed(1020))];
  expect(notices(...failing)).toEqual([11]);
  expect(notices(...turn(10, passed(1010)), ...turn(1020, ended(1021, "failed")))).toEqual([1010]);
  const healed = [...failing, ...turn(2000, ended(2001)), ...turn(2002, ended(2003, "failed"))];
  expect(notices(...healed)).toEqual([11, 2003]);
  // It took longer than its lease, and was done after all.
  const late = [...turn(10, passed(1010), ended(1500)), ...turn(2000, ended(2001, "failed"))];
  expect(notices(...late)).toEqual([1010, 2001]);
  // Rewritten meanwhile, it is still the same trouble.
  const rewritten = [configured({ ...NIGHTLY, jitterMs: 1 }), ...turn(2000, ended(2001, "failed"))];
  expect(notices(...failing, ...rewritten)).toEqual([11]);
  const stopped: Event = {
    kind: "formula-ended",
    at: 11,
    formula: "schedule-nightly",
    cycle: 1,
    outcome: { kind: "stopped", at: 11, reason: "by ada" },
  };
  expect(notices(...turn(10, stopped))).toEqual([]);
});
