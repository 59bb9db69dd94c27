// The options of one simulation, drawn from its seed ("swarm testing": a fault that is always on
// hides what happens without it). They are printed with a failure and can be made smaller by
// shrink.ts: the same seed with other options draws the same numbers wherever it can.
import { createPrng, type Prng } from "../src/lib/prng.ts";
import type { MergeStrategy } from "../src/core/merge-queue/entry.ts";
import { overlapping, RUSH, withAgents, withGateway, withRedTarget } from "./occasions.ts";

/** Probabilities, each per occasion; 0 switches a fault off. */
export type FaultRates = {
  /** The daemon dies at a crash point. */
  kill: number;
  /** A port's call fails and may be repeated; for good; after it was done (the answer is lost). */
  portError: number;
  portRefusal: number;
  portLostAnswer: number;
  /** All of a port fails for hours, per call. */
  outage: number;
  /** A call takes seconds to minutes. */
  portSlow: number;
  /** The same for what is asked of living sessions all the time. */
  readSlow: number;
  /** The journal's disk is full for a while. */
  storeFull: number;
  /** The wall clock jumps, per simulated hour. */
  clockJump: number;
  /** A watch's notification comes twice, or late. */
  watchTwice: number;
  watchLate: number;
  /** No watcher is told that files of a workspace changed. */
  watchMissed: number;
  probeUnknown: number;
  /** Lives of agents that go wrong. */
  agentCrash: number;
  /** Every life of a run crashes soon. */
  agentDoom: number;
  agentHang: number;
  agentLie: number;
  agentBabble: number;
  agentQuit: number;
  agentNonsense: number;
  /** It writes something else right before the phase that it means. */
  agentHasty: number;
  agentDeaf: number;
  /** Of agents that confirm: the terminal ignores a paste, or an Enter; a line is in the way. */
  pasteLost: number;
  enterLost: number;
  halfTyped: number;
  /** What their hooks acknowledge is lost, late, or reported twice. */
  ackLost: number;
  ackLate: number;
  ackTwice: number;
  agentOneShot: number;
  agentMissing: number;
  agentGiveUp: number;
  agentAsk: number;
  /** It asks right after it said that it is ready; it asks in its spool, while it goes on. */
  agentSecondThought: number;
  agentHelp: number;
  agentLeftover: number;
  agentLinger: number;
  /** It outlives SIGKILL for hours; its context fills. */
  agentUnkillable: number;
  agentFull: number;
  /** An agent writes letters. */
  agentMail: number;
  agentLimit: number;
  /** The work of agents: commits that are red, all of a run, that touch what others touch. */
  bug: number;
  agentHopeless: number;
  overlap: number;
  ciFlake: number;
  ciInfra: number;
  ciSlow: number;
  /** A check of a CI server appears only hours later. */
  ciLost: number;
  /** Commands of formulas. */
  commandFails: number;
  commandLost: number;
  /** Others push to the target, per hour; some of it red; the user's checkout in the way. */
  otherPush: number;
  otherRed: number;
  /** A person edits pawl.toml on the target, per hour; the edit makes it invalid. */
  configEdit: number;
  configBroken: number;
  heldCheckout: number;
  pushRefused: number;
  /** People, per hour. */
  stop: number;
  hold: number;
  attach: number;
  handEdit: number;
  /** A workspace comes to hold a file that is too large to be saved. */
  unsavable: number;
  /** A person deletes a workspace, per hour and run. */
  workspaceLost: number;
  closeIssue: number;
  reviewChanges: number;
  slowReview: number;
  /** A stranger copies what Pawl just wrote on the forge, and approves a PR that it just made. */
  stranger: number;
  /** Little memory is free, per look. */
  memoryLow: number;
  /** Letters of people, also to who is not there. */
  mail: number;
  /** Items of the vault that are asked for, per hour; how their actions go wrong; how people err. */
  vault: number;
  actionUnsent: number;
  actionUnknown: number;
  actionKill: number;
  vaultWrongHash: number;
  vaultTwice: number;
  vaultLate: number;
  vaultReject: number;
  /** Another writer pushes to a branch of Pawl's, per hour. */
  branchPush: number;
  /** The daemon dies between two of the things that a role says in one round. */
  roundCut: number;
  /** An effect that the daemon dies of, whenever it is carried out. */
  poison: number;
  /** An issue whose work landed is opened again: when it is closed, and per look at the closed ones. */
  reopen: number;
  /** No workspace of a project can be set up for a while, per set-up. */
  setUpBroken: number;
  /** Fetching the branch of a workspace takes seconds. */
  fetchSlow: number;
  /** An agent that is ended asks a person something in its last moment. */
  agentLastWord: number;
  /** The resolver of conflicts fails; it leaves conflict marks in a file. */
  resolverFails: number;
  resolverMarks: number;
  /** The forge goes down for hours in the moment in which an issue is to be settled. */
  settleOutage: number;
  /** The model of an agent says nothing for hours, and its host says so. */
  modelSilent: number;
  /** The look at a due schedule fails for good; saving the work of an ended life takes minutes. */
  planRefused: number;
  saveSlow: number;
};

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

const MAX_RATES: FaultRates = {
  kill: 0.01,
  portError: 0.05,
  portRefusal: 0.004,
  portLostAnswer: 0.02,
  outage: 0.0005,
  portSlow: 0.2,
  readSlow: 0.3,
  storeFull: 0.001,
  clockJump: 0.1,
  watchTwice: 0.2,
  watchLate: 0.3,
  watchMissed: 0.1,
  probeUnknown: 0.2,
  agentCrash: 0.25,
  agentDoom: 0.1,
  agentHang: 0.06,
  agentLie: 0.15,
  agentBabble: 0.3,
  agentQuit: 0.1,
  agentNonsense: 0.15,
  agentHasty: 0.3,
  agentDeaf: 0.15,
  pasteLost: 0.2,
  enterLost: 0.3,
  halfTyped: 0.1,
  ackLost: 0.1,
  ackLate: 0.2,
  ackTwice: 0.3,
  agentOneShot: 0.4,
  agentMissing: 0.04,
  agentGiveUp: 0.15,
  agentAsk: 0.08,
  agentSecondThought: 0.4,
  agentHelp: 0.1,
  agentLeftover: 0.2,
  agentLinger: 0.2,
  agentUnkillable: 0.15,
  agentFull: 0.2,
  agentMail: 0.3,
  agentLimit: 0.1,
  bug: 0.3,
  agentHopeless: 0.1,
  overlap: 0.3,
  ciFlake: 0.1,
  ciInfra: 0.1,
  ciSlow: 0.1,
  ciLost: 0.1,
  commandFails: 0.2,
  commandLost: 0.05,
  otherPush: 0.5,
  otherRed: 0.1,
  configEdit: 0.5,
  configBroken: 0.4,
  heldCheckout: 0.2,
  pushRefused: 0.01,
  stop: 0.2,
  hold: 0.6,
  attach: 0.2,
  handEdit: 0.5,
  unsavable: 0.3,
  workspaceLost: 0.3,
  closeIssue: 0.1,
  reviewChanges: 0.3,
  slowReview: 0.2,
  stranger: 0.5,
  memoryLow: 0.3,
  mail: 3,
  vault: 3,
  actionUnsent: 0.3,
  actionUnknown: 0.2,
  actionKill: 0.2,
  vaultWrongHash: 0.3,
  vaultTwice: 0.5,
  vaultLate: 0.2,
  vaultReject: 0.2,
  branchPush: 0.5,
  roundCut: 0.5,
  poison: 0.003,
  reopen: 0.03,
  setUpBroken: 0.1,
  fetchSlow: 0.5,
  agentLastWord: 0.3,
  resolverFails: 0.3,
  resolverMarks: 0.5,
  settleOutage: 0.15,
  modelSilent: 0.2,
  planRefused: 0.2,
  saveSlow: 0.5,
};

export const FAULT_NAMES = Object.keys(MAX_RATES) as (keyof FaultRates)[];

/** Drawn from a stream of their own, as all that is new: a seed keeps its other options. */
const NEW: (keyof FaultRates)[][] = [
  ["settleOutage"],
  ["modelSilent"],
  ["planRefused", "saveSlow"],
];
const FIRST_NAMES = FAULT_NAMES.filter((name) => !NEW.flat().includes(name));

export function optionsFrom(seed: number): Options {
  const prng = createPrng(seed);
  const later = createPrng(seed * 31 + 1);
  const newest = createPrng(seed * 37 + 5);
  const last = createPrng(seed * 41 + 7);
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
    rates: ratesFrom([prng, later, newest, last]),
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

const ratesFrom = (streams: Prng[]): FaultRates =>
  Object.assign({}, ...streams.map((prng, at) => drawRates(prng, NEW[at - 1] ?? FIRST_NAMES)));

/** About half of the faults are on, each somewhere below its maximum. */
function drawRates(prng: Prng, names: readonly (keyof FaultRates)[]): Partial<FaultRates> {
  const share = prng.next();
  const drawn = names.map((name) => {
    const rate = prng.next() ** 2 * MAX_RATES[name];
    return [name, prng.chance(share) ? rate : 0] as const;
  });
  return Object.fromEntries(drawn);
}

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
