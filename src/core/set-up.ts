// Set-up: what a new workspace needs besides git, made by the user's own command from pawl.toml; and
// what a run and its project hear of it.
import type { ProjectConfig, WorkspaceConfig } from "./config.ts";
import type { Commit, RunId } from "./ids.ts";

/** Why it failed. */
export type SetUpFailure = {
  /** Which command failed, and how. */
  why: string;
  /** The end of its output. */
  logTail: string;
};

/** To a run. */
export type WorkspaceMade =
  | {
      kind: "workspace-prepared";
      at: number;
      base: Commit;
      head: Commit;
      found: boolean;
      /** The settings it was set up with: the project's at that time. */
      workspace?: WorkspaceConfig;
    }
  /** A workspace that holds nothing but the target was made, and its set-up failed. */
  | { kind: "workspace-unready"; at: number; failure: SetUpFailure }
  /** Told by the project: set it up again, and work by these settings. */
  | { kind: "set-up-wanted"; at: number; config: ProjectConfig };

/** To a project. */
export type SetUpTold =
  /** A run tells: its new workspace could not be set up, which no run of this project can be then. */
  | { kind: "set-up-failed"; at: number; run: RunId; failure: SetUpFailure }
  /** It could not be, and now it is. */
  | { kind: "set-up-passed"; at: number; run: RunId }
  /** A person wants set-up to be tried again. */
  | { kind: "set-up-answered"; at: number; by: string };
