// What `pawl project remove` removes and keeps.

export type RemovalView = {
  project: string;
  /** The repository, which is not touched; null where only a folder is left of the project. */
  root: string | null;
  /** Whether it was done; otherwise this is what would be done. */
  removed: boolean;
  /** What is removed, as paths. */
  paths: string[];
  /** Sentences about what is lost with the project. */
  lost: string[];
  /** Agents that work now: as long as there are any, it is refused. */
  agents: string[];
  /** Identities with work that has not landed; not those that changed nothing. */
  unlanded: string[];
  /** The folder of what was restored from checkpoints; null where there is none. */
  restored: string | null;
  /** Where that work, and what was restored from checkpoints, is kept; null where there is none. */
  kept: string | null;
};
