// A patrol: a periodic health check of a project. It writes nothing while all is well: what it saw
// is compared with what it knew.
//
//   deacon:   inbox-check ─> trigger-pending-spawns, gate-evaluation ─> health-scan
//             ─> plugin-run, orphan-check ─> session-gc ─> context-check ─> loop-or-exit
//   witness:  survey-workers ─> ping-deacon
import type { ProjectName } from "../ids.ts";
import type { Orphan } from "./orphan.ts";
import type { Triage } from "./triage.ts";

export const PATROL_NAMES = ["deacon", "witness"] as const;
export type PatrolName = (typeof PATROL_NAMES)[number];

export const STEPS: Record<PatrolName, readonly string[]> = {
  deacon: [
    "inbox-check",
    "trigger-pending-spawns",
    "gate-evaluation",
    "health-scan",
    "plugin-run",
    "orphan-check",
    "session-gc",
    "context-check",
    "loop-or-exit",
  ],
  witness: ["survey-workers", "ping-deacon"],
};

/** The parts of a project that the deacon watches and starts again, besides the patrols. */
export const COMPONENTS = ["observer", "merge-queue", "sessions", "outbox"] as const;

/** What a step did when it last did something. */
export type StepNote = { at: number; text: string };

/** A component over the rounds: how often in a row it gave no normal answer. */
export type Health = {
  unresponsive: number;
  lastHealthy: number | undefined;
  detail: string;
};

export type Patrol = {
  kind: "patrol";
  project: ProjectName;
  name: PatrolName;
  notes: Record<string, StepNote>;
  health: Record<string, Health>;
  /** Sessions that were told to begin, as `{run}/{epoch}`. */
  nudged: string[];
  /** What was found without an owner, by key. */
  orphans: Record<string, Orphan>;
  /** What the operator was told of and that still holds. */
  warned: string[];
  /** What the doctor was asked to clean up last: the same again is left to people. */
  leftovers?: string[];
  /** Letters that a model judged; only where that was ever configured. */
  triage?: Triage;
  /** When it last made the daemon restart, because that had grown. */
  exitedAt?: number;
  /** Numbers what it wants done. */
  acts: number;
};

export const newPatrol = (project: ProjectName, name: PatrolName): Patrol => ({
  kind: "patrol",
  project,
  name,
  notes: {},
  health: {},
  nudged: [],
  orphans: {},
  warned: [],
  acts: 0,
});

export const noted = (patrol: Patrol, step: string, note: StepNote): Patrol => ({
  ...patrol,
  notes: { ...patrol.notes, [step]: note },
});
