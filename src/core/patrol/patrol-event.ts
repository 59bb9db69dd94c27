// What a round saw, and what became of what it wanted done.
import type { ProjectName, RunId } from "../ids.ts";
import type { Priority } from "../mail/letter.ts";
import type { OrphanFact } from "./orphan.ts";
import type { PatrolName } from "./patrol.ts";
import type { TriageRules } from "./triage.ts";

export type InboxFact = {
  id: string;
  from: string;
  subject: string;
  body: string;
  priority: Priority;
};

/** A session that was started and has not shown any work; `ready`: its prompt is there and empty. */
export type PendingFact = { run: RunId; identity: string; epoch: number; ready: boolean };

export type ComponentFact = { name: string; ok: boolean; detail: string };

/** What a part that works by itself last did, for the note of its step. */
export type StepNews = { step: string; at: number; text: string };

export type DeaconFacts = {
  inbox: InboxFact[];
  pending: PendingFact[];
  components: ComponentFact[];
  orphans: OrphanFact[];
  /** What the doctor would clean up; undefined if it was not asked in this round. */
  leftovers?: string[];
  news?: StepNews[];
  /** Set where a model may judge letters that the rules cannot decide. */
  triage?: TriageRules;
  /** The daemon itself. `keeper`: restarts it when it ends; `since`: which one it is. */
  own: {
    memoryMb: number;
    journalMb: number;
    freeMb: number;
    memoryMaxMb?: number;
    keeper?: { since: number };
  };
};

export type WitnessFacts = {
  /** Living sessions that were not seen for longer than their limit. */
  silent: { identity: string; epoch: number; sinceMs: number }[];
  /** The deacon's last round was that long ago; it is late after `lateMs`. */
  deacon: { agoMs: number; lateMs: number };
};

export type PatrolEvent =
  | {
      kind: "patrol-observed";
      at: number;
      project: ProjectName;
      seen: { kind: "deacon"; facts: DeaconFacts } | { kind: "witness"; facts: WitnessFacts };
      /** The round before this one; not known after a start of the daemon. */
      previousAt?: number;
    }
  /** A person wants one of the parts that the deacon watches started again. */
  | {
      kind: "component-restart-requested";
      at: number;
      project: ProjectName;
      component: string;
      by: string;
    }
  /** What the deacon wanted done is done. */
  | { kind: "component-restarted"; at: number; component: string }
  | { kind: "orphan-settled"; at: number; key: string; note: string }
  | { kind: "leftovers-fixed"; at: number; note: string }
  /** A person restarts it: what it knew of health and orphans is forgotten. */
  | { kind: "patrol-restarted"; at: number; project: ProjectName; name: PatrolName; by: string };
