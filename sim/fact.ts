// What happens in the simulated world, told to the checkers and written into the story. The world
// tells the truth here: what Pawl believes of it is in its journal.
import type { AggregateId, Commit, ProjectName, RunId, Tree } from "../src/core/ids.ts";
import type { Event } from "../src/core/event.ts";
import type { Signal } from "../src/core/signal.ts";
import type { AggregateState } from "../src/core/step.ts";
import type { NewOutboxRow } from "../src/ports/store.ts";
import type { CheckState } from "./ci-server.ts";
import type { Process, Workspace } from "./world.ts";

/** What a transaction wrote. An event comes before the state that follows from it. */
export type Written =
  | { kind: "event"; to: AggregateId; event: Event }
  | { kind: "state"; id: AggregateId; state: AggregateState }
  | { kind: "effect"; row: NewOutboxRow }
  | { kind: "settled"; key: string };

export type Journaled = {
  /** All that follows, in the order in which it was written: events of many callers share a transaction. */
  written: Written[];
  events: { to: AggregateId; event: Event }[];
  /** In the order in which they were saved: one that took in several events is there several times. */
  states: { id: AggregateId; state: AggregateState; isArchived: boolean }[];
  effects: NewOutboxRow[];
  settled: string[];
  postponed: { key: string; attempts: number }[];
  signals: Signal[];
};

export type Fact =
  | { kind: "daemon-started"; life: number }
  | { kind: "daemon-killed"; life: number; at: string }
  /** A transaction is durable: what it took in, what it saved, what it wants done. */
  | { kind: "journaled"; journaled: Journaled }
  | { kind: "effect-refused"; about: string; error: unknown }
  | { kind: "process-started"; project: ProjectName; identity: string; epoch: number; pid: number }
  | { kind: "process-ended"; process: Process; crashed: boolean }
  | { kind: "phase-written"; project: ProjectName; run: RunId; epoch: number; text: string }
  /** An agent asks a person something; no two questions have the same text. */
  | { kind: "question-asked"; process: Process; text: string; how: "phase" | "help" }
  /** A request was passed on to the model, and used so much. */
  | { kind: "model-asked"; process: Process; tokens: number }
  | { kind: "message-shown"; dir: string; id: string; how: "prompt" | "inbox" | "typed" | "mail" }
  | { kind: "message-taken"; dir: string; id: string; at: number }
  | { kind: "tree-checked"; project: ProjectName; tree: Tree; gates: string; passed: boolean }
  /** A CI server shows a check of this commit in this state. */
  | {
      kind: "check-reported";
      project: ProjectName;
      commit: Commit;
      context: string;
      state: CheckState;
    }
  | { kind: "target-moved"; project: ProjectName; from: Commit; to: Commit; by: "pawl" | "others" }
  /** A branch of Pawl's on upstream; `to` is undefined where it went. */
  | {
      kind: "upstream-moved";
      project: ProjectName;
      branch: string;
      to: Commit | undefined;
      by: "pawl" | "others";
    }
  /** Something in it cannot be saved. */
  | { kind: "workspace-kept"; project: ProjectName; identity: string }
  /** The user's own command is about to clear it away: it may delete any file there. */
  | { kind: "workspace-torn-down"; project: ProjectName; path: string; workspace: Workspace }
  | { kind: "workspace-removed"; project: ProjectName; path: string; workspace: Workspace }
  /** A person deleted it; the next life gets what is saved of it. */
  | { kind: "workspace-lost"; project: ProjectName; identity: string; workspace: Workspace }
  /** It was made, or made again: also under a living agent whose workspace was deleted. */
  | { kind: "workspace-made"; path: string; workspace: Workspace }
  /** An agent wrote files; `missed`: no watcher was told. */
  | { kind: "files-written"; process: Process; missed: boolean }
  | { kind: "checkpoint-saved"; project: ProjectName; identity: string; commit: Commit }
  | { kind: "forge-made"; project: ProjectName; what: string; mark: string }
  | { kind: "issue-closed"; project: ProjectName; issue: number; by: "pawl" | "others" }
  /** A workspace was to be set up. */
  | { kind: "set-up-tried"; project: ProjectName; ok: boolean }
  | { kind: "command-started"; folder: string }
  | { kind: "command-ended"; folder: string; ok: boolean }
  /** A copy of the state was written for others to read. */
  /** The vault reached outside. */
  | { kind: "action-done"; key: string; hash: string }
  | { kind: "person-did"; what: string }
  | { kind: "phase-of-simulation"; name: string };
