// The merge queue of a project: the only way onto the target. This file owns its state and never
// decides anything: plan.ts does, and step-queue.ts changes it. Status is derived (status.ts).
//
//   entries ──survey──> stack ──checks──> green prefix ──landing──> past (merged)
//                         └── red on top of a green base ─────────> past (returned)
//
// The stack is one chain of candidates on top of the target: slot i is the target plus the first i
// entries. Testing a prefix is checking one commit of the chain, so that splitting a red segment
// builds nothing, and what stands behind a landed prefix stays valid.
import { dayOf } from "../budget.ts";
import type { CheckOutcome } from "../check.ts";
import type { CiConfig } from "../config.ts";
import type { Commit, ProjectName, RunId, Tree } from "../ids.ts";
import type { TargetFailure } from "../target-proof.ts";
import type { MergeStrategy } from "./entry.ts";
import type { FailureRate } from "./estimate.ts";

type FailedOutcome = Extract<CheckOutcome, { kind: "failed" }>;

/** A commit of the target, and the entry that landed as it. */
export type ChangedBy = {
  commit: Commit;
  subject: string;
  entry?: Pick<NewEntry, "branch" | "issue"> & { id: number };
};

/** Why an entry went back to its author. */
export type ReturnReason =
  /**
   * `by`: the commits of the target that changed them, the newest first, as far as they are told;
   * `unresolved`: why the resolver was no help.
   */
  | { kind: "conflict"; files: string[]; by?: ChangedBy[]; unresolved?: string }
  | { kind: "tests"; outcome: FailedOutcome }
  /** Another writer pushed to its branch; `log`: what. */
  | { kind: "overtaken"; theirs: Commit; log: string }
  /** `isEmpty`: it has no changes that the target lacks; there is nothing to fix. */
  | { kind: "held"; why: string; isEmpty?: true };

/** Where a branch is: upstream, or in the user's own repository. */
export type BranchPlace = "upstream" | "checkout";

export type NewEntry = {
  /** Undefined for a branch that a person added. */
  run: RunId | undefined;
  identity: string | undefined;
  branch: string;
  head: Commit;
  pr: number | undefined;
  issue: number | undefined;
  /** The formula step this work belongs to, where there is one. */
  node?: string;
  title: string;
  priority: number;
  /** Branches that must be on the target first. */
  after?: string[];
};

export type Entry = Omit<NewEntry, "after"> & {
  id: number;
  after: string[];
  requestedAt: number;
  /** How many times this branch has been queued, this time included. */
  attempts: number;
  /** How the last of those times ended, the oldest first. */
  earlier?: EarlierEntry[];
  /** Its conflicts with the others have been looked for. */
  surveyed: boolean;
  /** A candidate showed that it adds something to the target. */
  worked: boolean;
  /** It changes the gates or the policy, and who allowed that for exactly this head. */
  changesPolicy: boolean;
  /** The protected files that it changes, where that is more than pawl.toml. */
  protectedPaths?: string[];
  /** How its latest candidate came about, where git alone could not merge it. */
  resolved?: Resolution | undefined;
  approved: { by: string; at: number } | undefined;
  /**
   * Not before this instant: the user's checkout was in the way, or the CI infrastructure failed.
   */
  notBefore: number | undefined;
  /** What is in its way, for people. */
  obstacle: string | undefined;
  /** Tested and landed by itself, so that a problem of it does not delay other entries. */
  solo: boolean;
  /** How often the CI infrastructure failed, and how often the user's checkout was in the way. */
  troubles: number;
  holds: number;
  /** Cancelled while its landing was under way: it leaves unless that landing happens. */
  leaving: string | undefined;
};

/** The same branch, queued before: people who ask about a branch ask about this, too. */
export type EarlierEntry = {
  entry: number;
  head: Commit;
  leftAt: number;
  end: string;
  /** What it became on the target. */
  commit?: Commit;
};

/** Conflicts in these files were resolved by the program that pawl.toml names. */
export type Resolution = { by: string; files: string[] };

/** An entry that left the queue, kept for a while so that people can see what became of it. */
export type PastEntry = Entry & {
  leftAt: number;
  end:
    | {
        kind: "merged";
        commit: Commit;
        /** Where its branch was removed, which is on the target now. */
        removed?: BranchPlace;
      }
    | { kind: "returned"; reason: ReturnReason }
    | { kind: "withdrawn"; why: string };
};

/** What holds for every candidate: read from pawl.toml at the target's tip. */
export type QueuePolicy = {
  ci: CiConfig;
  strategy: MergeStrategy;
  /** How many prefixes are tested side by side. */
  lanes: number;
  /** The program that may resolve conflicts, with `{file}` for the file. */
  resolve?: string[];
  /** Entries per prefix; undefined: from the observed failure rate. 1 with one lane is the plain sequence. */
  step: number | undefined;
};

/** Every try has a ref of its own, so that the outcome of an abandoned one is never taken for another's. */
export type Test = { ref: string; at: number };

export type Slot = {
  entry: number;
  /** The target plus every entry up to and including this one. */
  commit: Commit;
  /** The build whose ref keeps the commit alive. */
  build: string;
  test: Test | undefined;
  /** `confirmed`: the same tree failed twice. Once may be a flake: enough to split, not to blame. */
  verdict:
    | { kind: "green" }
    | { kind: "red"; outcome: FailedOutcome; confirmed: boolean }
    | undefined;
};

/**
 * The target as last seen. `green`: its tree passed, because we landed it or checked it bare.
 * `broken`: the gate could not run there the last time; it is tried again.
 */
export type Target = {
  commit: Commit;
  proof: "unknown" | "green" | "red" | "broken";
  /** `commit`: what is checked, where the target has moved since. */
  test: (Test & { commit?: Commit }) | undefined;
  /** Why it is red or broken. */
  failure?: TargetFailure;
  /** The next check runs, even if a result of this tree is remembered. */
  fresh?: true;
};

/**
 * What a CI server said of a commit of the target, where only a server judges. `broken`: it could not
 * be asked, for a reason that a person has to fix.
 */
export type ServerSaid = {
  commit: Commit;
  word: "green" | "red" | "open" | "broken";
  /** It was red before: until then, agents wait for a new verdict. */
  redUntil?: number;
};

/** `without`: a suspect, the last of the stack, instead of which these are stacked (prepared.ts). */
export type Building = {
  ref: string;
  at: number;
  onto: Commit;
  entries: number[];
  without?: number;
};

/** What is stacked on this commit if the suspect above it leaves the queue. */
export type Prepared = { without: number; onto: Commit; slots: Slot[] };

/** `ref` undefined: the last try failed on the way, and whether it moved the target is not known. */
export type Landing = {
  ref: string | undefined;
  at: number;
  entries: number[];
  commit: Commit;
  /** What each entry lands as, in order; the last one is `commit`. Absent in an older journal. */
  tips?: Commit[];
  expected: Commit;
};

export type Survey = {
  ref: string;
  at: number;
  /** The entries whose conflicts it looks for. */
  entries: number[];
  /** A landing came in between: what it says of the target may be old. */
  stale: boolean;
};

/**
 * Two heads that conflict with each other. `by`: where one is the target, who changed the files;
 * `tried`: the resolver could not help.
 */
export type ConflictFact = {
  a: Commit;
  b: Commit;
  files: string[];
  by?: ChangedBy[];
  tried?: true;
};

/**
 * `index` is the first head of a build that conflicts with those before it. `with`: which of those
 * change these files, counted from the first one on the target; `by`: which commits of the target,
 * where nothing else is below it. `unresolved`: what the resolver could not do; `onTarget`: it cannot
 * put this head on the bare target either.
 */
export type BuildConflict = {
  index: number;
  files: string[];
  with?: number[];
  by?: ChangedBy[];
  unresolved?: string;
  onTarget?: true;
};

/** Why the queue stopped by itself. */
export type Stop = {
  kind: "red-target" | "rejected" | "trouble";
  why: string;
  hint: string | undefined;
  at: number;
};

/** What was tried with which result: the evidence behind what the queue did. */
export type QueueRecord = {
  at: number;
  /** In the order they would have landed; empty for the bare target. */
  entries: number[];
  commit: Commit | undefined;
} & (
  | {
      kind: "checked";
      result: "passed" | "failed" | "infra";
      tree: Tree;
      flaky: boolean;
      remembered: boolean;
      /** The gate that failed, or what was wrong with the CI infrastructure. */
      detail: string | undefined;
      logFile: string | undefined;
      /** What its gates took; absent in an older journal, and where they could not run. */
      tookMs?: number;
    }
  | { kind: "conflicted"; files: string[] }
  | { kind: "landed" }
  | { kind: "landing-failed"; why: string }
);

export type Queue = {
  kind: "queue";
  project: ProjectName;
  nextEntry: number;
  nextRef: number;
  entries: Entry[];
  past: PastEntry[];
  policy: QueuePolicy | undefined;
  target: Target | undefined;
  stack: Slot[];
  building: Building | undefined;
  prepared?: Prepared;
  landing: Landing | undefined;
  survey: Survey | undefined;
  /** The target and the policy must be looked at again: now (0), or at this instant. */
  surveyAt: number | undefined;
  conflicts: ConflictFact[];
  rate: FailureRate;
  /** Gate runs saved against testing one by one (savings.ts); absent: none. */
  saved?: number;
  /** Failures of the CI infrastructure in a row, and when to continue. */
  trouble:
    | {
        count: number;
        message: string;
        until: number;
        /** It is the forge that is waited for, since this instant. */
        forgeSince?: number;
      }
    | undefined;
  paused: { by: string; why: string; at: number } | undefined;
  /** How often others moved the target, since the last landing, while entries were being tested. */
  overtaken?: { count: number; since: number };
  /** Only a forge's merge gets onto this target: entries are tested and landed one by one. */
  oneByOne?: true;
  stop: Stop | undefined;
  records: QueueRecord[];
  /** How many gate runs it asked for, by day (UTC); the records do not reach back that far. */
  gateRuns?: Record<string, number>;
  /**
   * The project waits to be told whether its gate passes on the bare target. `failures`: how often in a
   * row that could not be found out; it is tried again at `notBefore`.
   */
  proofAsked?: { failures: number; notBefore: number };
  /** The daemon died of finding it out: not tried again before a person answers or resumes the queue. */
  proofGivenUp?: TargetFailure;
  /** What it was told last; only where it has asked. */
  proofTold?: Target["proof"] | "open";
  /** A look at what the CI server says of the target is under way, for the project. */
  look?: Test & { commit: Commit };
  serverSaid?: ServerSaid;
  /** The target was seen elsewhere, or its rules may be others: what is known of it is in doubt. */
  inDoubt?: true;
};

const RECORDS_MAX = 200;
const DAYS_MAX = 400;

export const record = (queue: Queue, fact: QueueRecord): Queue => ({
  ...queue,
  records: [...queue.records, fact].slice(-RECORDS_MAX),
  ...(fact.kind === "checked" && !fact.remembered
    ? { gateRuns: oneMore(queue.gateRuns ?? {}, dayOf(fact.at)) }
    : {}),
});

function oneMore(days: Record<string, number>, day: string): Record<string, number> {
  const next = { ...days, [day]: (days[day] ?? 0) + 1 };
  const kept = Object.keys(next)
    .toSorted((a, b) => a.localeCompare(b))
    .slice(-DAYS_MAX);
  return Object.fromEntries(kept.map((one) => [one, next[one] ?? 0]));
}

export const entryById = (queue: Queue, id: number): Entry | undefined =>
  queue.entries.find((entry) => entry.id === id);

/** Where in the stack the entries stand that are tested and landed by themselves. */
export function soloPositions(queue: Queue): number[] {
  if (queue.oneByOne === true) return queue.stack.map((_slot, index) => index + 1);
  const solo = new Set(queue.entries.filter((entry) => entry.solo).map((entry) => entry.id));
  return queue.stack.flatMap((slot, index) => (solo.has(slot.entry) ? [index + 1] : []));
}

/** Changes some entries, and leaves the others the very same objects. */
export const withEntries = (
  queue: Queue,
  ids: number[],
  change: (entry: Entry) => Entry,
): Queue => ({
  ...queue,
  entries: queue.entries.map((entry) => (ids.includes(entry.id) ? change(entry) : entry)),
});

export const isLanding = (queue: Queue, id: number): boolean =>
  queue.landing?.entries.includes(id) ?? false;

/** The landing under way takes this branch with it. */
export const isLandingBranch = (queue: Queue, branch: string): boolean =>
  queue.entries.some((entry) => entry.branch === branch && isLanding(queue, entry.id));

/** Nothing new is tested or landed; what is under way may finish. */
export const isFrozen = (queue: Queue, now: number): boolean =>
  queue.paused !== undefined ||
  queue.stop !== undefined ||
  (queue.trouble !== undefined && queue.trouble.until > now);
