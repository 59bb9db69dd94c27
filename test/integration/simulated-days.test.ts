// Long stretches of simulated time that random seeds reach only now and then: a day in which nothing
// is to be done, and a week in which much is. Patrols, standing roles, schedules and plugins are on in
// both.
import { expect, test } from "vitest";
import { FAULT_NAMES, type FaultRates } from "../../sim/fault-rates.ts";
import type { Options } from "../../sim/options.ts";
import { simulate } from "../../sim/simulate.ts";

/** A guard, not a claim: ten seconds of the processor, on a busy machine minutes. */
const GUARD_MS = 300_000;

const rates = (on: Partial<FaultRates>): FaultRates => ({
  ...(Object.fromEntries(FAULT_NAMES.map((name) => [name, 0])) as FaultRates),
  ...on,
});
/** Written out: what a seed means changes with each new kind of fault. */
const BASE: Options = {
  projects: 1,
  issues: 5,
  newIssues: 0,
  parallel: 4,
  reviewRequired: false,
  strategy: "merge",
  lanes: 3,
  remote: true,
  safetyHours: 19,
  workMinutes: 29,
  answers: true,
  idleHours: 1,
  tasks: 0,
  formulas: 0.3,
  chores: true,
  roles: true,
  actions: true,
  budget: true,
  tight: true,
  forgeMerges: true,
  anyOrder: true,
  rates: rates({}),
};

test("a day of an idle factory starts no session: what it does by itself needs no model", async () => {
  const none = { issues: 0, newIssues: 0, tasks: 0, formulas: 0 };
  const options = { ...BASE, ...none, safetyHours: 1, idleHours: 24 };
  const result = await simulate(1, { ...options, rates: rates({}) }, { story: false });
  expect(result.failure).toBeUndefined();
  // That the day was not empty is seen here: every role had several rounds in it.
  expect(result.simulatedMs).toBeGreaterThan(25 * 3_600_000);
  expect(result.events).toBeGreaterThan(1000);
  expect([result.sessions, result.filed, result.landed]).toEqual([0, 0, 0]);
});

test(
  "a busy week with a daemon that dies now and then holds every limit",
  async () => {
    const faults = {
      kill: 0.002,
      portError: 0.01,
      memoryLow: 0.1,
      clockJump: 0.02,
      mail: 0.5,
      agentMail: 0.2,
      agentCrash: 0.05,
      agentLie: 0.1,
    };
    const wanted = { issues: 5, newIssues: 0.5, actions: true, budget: true, tight: false };
    const options = { ...BASE, ...wanted, safetyHours: 168, idleHours: 1 };
    const result = await simulate(5, { ...options, rates: rates(faults) }, { story: false });
    expect(result.failure).toBeUndefined();
    expect(result.landed).toBeGreaterThan(30);
    expect(result.kills).toBeGreaterThan(10);
    expect(result.filed).toBeGreaterThan(10);
  },
  GUARD_MS,
);
