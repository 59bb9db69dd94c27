// The checkpoints of a project, beyond making one (`Git.checkpoint`): being told that one is due,
// reading, restoring, thinning, and keeping a copy elsewhere.
//
// Contract. Every call may be repeated after a crash at any instruction. Nothing here changes a
// workspace but `restoreInto`, which saves first. Failures are OperationError.
import type { Commit } from "../core/ids.ts";

export type CheckpointEntry = {
  /** Counts from 1 and stays, also when others are thinned away. */
  number: number;
  commit: Commit;
  at: number;
  reason: string;
  /** Paths that differ from the checkpoint before it, or from the commit it began on. */
  files: number;
  /** How many paths could not be saved. */
  skipped: number;
};

export type CheckpointContent = {
  /** What was checked out, and on which branch. */
  head: Commit | undefined;
  branch: string | undefined;
  /** Paths that differ from `head`: added, modified or deleted. At most 1,000. */
  changes: { status: "A" | "M" | "D"; path: string }[];
  /** Paths that could not be saved. */
  skipped: string[];
  /** Those of them of which it holds a copy of an earlier moment; restored as `{path}.partial`. */
  partial: string[];
  /** Repositories inside, each with a chain of its own. */
  nested: { path: string; commit: Commit }[];
};

export type Recovered = {
  identity: string;
  branch: string | undefined;
  commit: Commit;
  at: number;
  /** `kept`: the hub has its own checkpoints of this identity, which were left as they are. */
  kind: "fetched" | "current" | "kept";
};

export type PushOfCheckpoints =
  | { kind: "pushed"; refs: number }
  /** Another writer's work is there under the same names; it was not overwritten. */
  | { kind: "refused"; refs: string[] };

export type Checkpoints = {
  /**
   * Calls `onChange` soon after something in the workspace may have changed. It may also call
   * without a change. Changes can be missed under load, so the caller also looks from time to time.
   */
  watch(request: { workspace: string; onChange: () => void }): { close(): void };
  /** Identities that have checkpoints of work that has not landed. */
  identities(): Promise<string[]>;
  /** Identities of which checkpoints of landed work are still kept. */
  landed(): Promise<string[]>;
  /**
   * Newest first; of an identity whose work landed, those that are kept of it. `base`: the commit that
   * its first checkpoint is compared with.
   */
  list(request: { identity: string; limit: number; base?: Commit }): Promise<CheckpointEntry[]>;
  content(commit: Commit): Promise<CheckpointContent>;
  /** From the checkpoint before (or the commit it began on), or from the one given. */
  diff(request: { commit: Commit; from?: Commit }): Promise<{ stat: string; diff: string }>;
  /** Rebuilds a checkpoint in a folder that does not exist or is empty. */
  restoreTo(request: { commit: Commit; path: string }): Promise<void>;
  /**
   * Puts a workspace back to a checkpoint, after saving what is there; files that git ignores
   * stay. `mayBegin` is asked once nothing else can use the workspace.
   */
  restoreInto(request: {
    commit: Commit;
    workspace: string;
    identity: string;
    mayBegin: () => Promise<boolean>;
  }): Promise<"restored" | "refused">;
  /**
   * Keeps fewer of the older ones (core/session/thinning.ts); how many went. `landedMaxMs`: those of
   * landed work go so long after the landing, where that is sooner than usual.
   */
  thin(request: { now: number; landedMaxMs?: number }): Promise<number>;
  /** The identity's work has landed: its chain is kept apart, and the next life starts afresh. */
  archive(request: { identity: string; at: number }): Promise<void>;
  /** Sends checkpoints and Pawl's branches to a private remote (a url, or the user's name for one). */
  push(request: { to: string }): Promise<PushOfCheckpoints>;
  /** Brings what `push` sent into the hub, overwriting nothing. */
  recover(request: { from: string }): Promise<Recovered[]>;
  /**
   * Packs what is loose, so that the hub stays small and quick. Removes nothing that is newer than 30
   * days. May be cancelled: the hub is whole at every moment, and the next one begins again.
   * `sweep`: what is older and has no name goes now, and not only once a week.
   */
  tidy(request: { now: number; signal?: AbortSignal; sweep?: boolean }): Promise<void>;
};
