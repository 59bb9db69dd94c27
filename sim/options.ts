// The options of one simulation, drawn from its seed ("swarm testing": a fault that is always on
// hides what happens without it). They are printed with a failure and can be made smaller by
// shrink.ts: the same seed with other options draws the same numbers wherever it can.
import { createPrng } from "../src/lib/prng.ts";
import type { MergeStrategy } from "../src/core/merge-queue/entry.ts";
import { FAULT_NAMES, MAX_RATES, ratesFrom, type FaultRates } from "./fault-rates.ts";
import {
  overlapping,
  RUSH,
  withAgents,
  withGateway,
  withRedTarget,
  withRepeats,
} from "./occasions.ts";

export type Options = {
  projects: number;
  issues: number;
  /** New issues per hour and project while faults are on. */
  newIssues: number;
  parallel: number;
  reviewRequired: boolean;
  strategy: MergeStrategy;
  lanes: number;
  remote: boolean;
  safetyHours: number;
  /** How long a step of work takes an agent, in minutes. */
  workMinutes: number;
  /** Tasks asked for per hour and project while faults are on; not in old regressions. */
  tasks?: number;
  /** Formulas begun per hour and project while faults are on; not in old regressions. */
  formulas?: number;
  /** Some issues are operations; not in old regressions. */
  actions?: boolean;
  /** Green branches are reviewed by agents; not in old regressions. */
  reviewRole?: boolean;
  /** Whether people answer escalations also once faults have stopped. */
  answers: boolean;
  /** How long nothing may happen in the end: mostly short, because a day of nothing costs most. */
  idleHours: number;
  /** Whether projects do something by themselves, at fixed times. */
  chores: boolean;
  /** Runs and days have budgets of tokens. */
  budget?: boolean;
  /** Sessions ask their models through a gateway; only with budgets. */
  gateway?: boolean;
  /** The budget of a run is so small that many spend it. */
  tight?: boolean;
  /** Gardener, supervisor, planner and predictor come at their times; not in old regressions. */
  roles?: boolean;
  /** Operators are asked and answer on the forge too. */
  operators?: boolean;
  /** No account may push to the target: the forge merges PRs, by its own commits. */
  forgeMerges?: boolean;
  /** Short work of many at once, so that the merge queue is full; not in old regressions. */
  rush?: boolean;
  /**
   * Some issues are filed by authors who may not instruct; without operators there are no
   * strangers.
   */
  strangers?: boolean;
  /** A stranger files an operation early; without operators there are no strangers. */
  strangerActs?: boolean;
  /** What is ready at the same moment arrives in a random order; not in old regressions. */
  anyOrder?: boolean;
  /** A CI server judges what is pushed, beside the gates or instead of them; it needs a remote. */
  ciServer?: "none" | "beside" | "alone";
  /** A program may resolve conflicts; not in old regressions. */
  resolver?: boolean;
  /**
   * Where only a CI server judges: the target is red there when Pawl comes, and people often push
   * what is red; not in old regressions.
   */
  redTarget?: boolean;
  /** Messages are typed into agents' terminals, and their hooks acknowledge them. */
  confirms?: boolean;
  /** Projects have several agents, each with an account of its own; not in old regressions. */
  agents?: boolean;
  rates: FaultRates;
};

export function optionsFrom(seed: number): Options {
  const prng = createPrng(seed);
  const later = createPrng(seed * 31 + 1);
  const newest = createPrng(seed * 37 + 5);
  const last = createPrng(seed * 41 + 7);
  const fifth = createPrng(seed * 43 + 11);
  const sixth = createPrng(seed * 47 + 13);
  const seventh = createPrng(seed * 53 + 17);
  const eighth = createPrng(seed * 59 + 19);
  const drawn: Options = {
    projects: 1 + prng.int(3),
    issues: 1 + prng.int(8),
    newIssues: prng.chance(0.5) ? prng.next() : 0,
    parallel: 1 + prng.int(4),
    reviewRequired: prng.chance(0.4),
    strategy: prng.pick(["rebase", "merge", "squash"] as const),
    lanes: prng.chance(0.6) ? 1 : 2 + prng.int(3),
    remote: prng.chance(0.5),
    safetyHours: 2 + prng.int(22),
    workMinutes: 1 + prng.int(30),
    answers: prng.chance(0.5),
    rates: withRepeats(ratesFrom([prng, later, newest, last, fifth, sixth, seventh, eighth])),
    idleHours: prng.chance(0.2) ? 24 : 1,
    tasks: prng.chance(0.4) ? prng.next() : 0,
    formulas: prng.chance(0.4) ? 2 * prng.next() : 0,
    reviewRole: prng.chance(0.3),
    chores: prng.chance(0.4),
    budget: prng.chance(0.4),
    actions: prng.chance(0.4),
    operators: prng.chance(0.4),
    forgeMerges: prng.chance(0.3),
    strangers: prng.chance(0.5),
    roles: prng.chance(0.3),
    tight: prng.chance(0.75),
    anyOrder: prng.chance(0.75),
    ciServer: prng.pick(["none", "none", "beside", "alone"] as const),
    confirms: prng.chance(0.3),
    resolver: prng.chance(0.4),
    strangerActs: fifth.chance(0.75),
  };
  const rushed = prng.chance(0.25) ? { ...drawn, ...RUSH, lanes: 1 + prng.int(4) } : drawn;
  const resolving =
    rushed.resolver === true ? { ...rushed, rates: overlapping(rushed.rates) } : rushed;
  const several = newest.chance(0.4) ? withAgents(resolving) : resolving;
  const whole = later.chance(0.85) && isServerAlone(several) ? withRedTarget(several) : several;
  return whole.budget === true && later.chance(0.6) ? withGateway(whole) : whole;
}

export const hasCiServer = ({ remote, ciServer = "none" }: Options): boolean =>
  remote && ciServer !== "none";

/** Nothing but a CI server judges what is to land. */
export const isServerAlone = (options: Options): boolean =>
  hasCiServer(options) && options.ciServer === "alone";

export const hasStrangers = ({ operators, strangers }: Options): boolean =>
  operators === true && strangers === true;

/** What the speed is measured with: ten active runs all the time, a few faults of each kind. */
export function benchOptions(): Options {
  const few = FAULT_NAMES.map((name) => [name, MAX_RATES[name] / 10] as const);
  return {
    projects: 1,
    issues: 12,
    newIssues: 2.2,
    parallel: 10,
    reviewRequired: false,
    strategy: "rebase",
    lanes: 1,
    remote: true,
    safetyHours: 100,
    workMinutes: 240,
    answers: true,
    idleHours: 1,
    chores: false,
    anyOrder: true,
    rates: Object.fromEntries(few) as FaultRates,
  };
}

export function describeOptions(options: Options): string {
  const { rates, ...rest } = options;
  const on = FAULT_NAMES.filter((name) => rates[name] > 0);
  const faults = on.map((name) => `${name}=${rates[name].toPrecision(2)}`).join(" ");
  const plain = Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`);
  return `${plain.join(" ")}\n  faults: ${faults === "" ? "none" : faults}`;
}
