// What can go wrong in a simulated world, and how often at most.
import type { Prng } from "../src/lib/prng.ts";

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
  /** tmux does not say which panes there are. */
  panesUnknown: number;
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
  /** The daemon dies right after it began one, which ends while no daemon is there. */
  commandAlone: number;
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
  /** Fetching the branch of a workspace takes seconds, and so does the look at the target before it. */
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
  /** A check of the bare target cannot run. */
  targetInfra: number;
  /** Landing takes seconds; an agent says once more that it is ready, while its work lands. */
  landSlow: number;
  agentRepeats: number;
  /** An agent thinks for an hour before it writes files, and for another before it commits them. */
  agentPonders: number;
};

export const MAX_RATES: FaultRates = {
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
  reopen: 0.1,
  setUpBroken: 0.1,
  fetchSlow: 0.5,
  agentLastWord: 0.3,
  resolverFails: 0.3,
  resolverMarks: 0.5,
  settleOutage: 0.15,
  modelSilent: 0.2,
  planRefused: 0.2,
  saveSlow: 0.5,
  agentPonders: 0.5,
  panesUnknown: 0.2,
  targetInfra: 0.8,
  landSlow: 0.8,
  agentRepeats: 0.8,
  commandAlone: 0.6,
};

export const FAULT_NAMES = Object.keys(MAX_RATES) as (keyof FaultRates)[];

/** Drawn from a stream of their own, as all that is new: a seed keeps its other options. */
const NEW: (keyof FaultRates)[][] = [
  ["settleOutage"],
  ["modelSilent"],
  ["planRefused", "saveSlow"],
  ["agentPonders"],
  ["panesUnknown"],
  ["targetInfra", "landSlow", "agentRepeats"],
  ["commandAlone"],
];
const FIRST_NAMES = FAULT_NAMES.filter((name) => !NEW.flat().includes(name));

/** One stream for the first kinds of faults, and one for each portion that came later. */
export const ratesFrom = (streams: Prng[]): FaultRates =>
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
