// What a workspace needs besides git: files the user keeps out of it, and set-up commands.
// Contract. Safe to repeat. Copied files are never overwritten in the workspace once they are
// there: the agent may have changed them. Commands run in the workspace, in their own process
// group, with the given environment only, and are ended at the time-out. A set-up that fails because
// of what pawl.toml says is a result, with the end of its output.
import type { SetUpFailure } from "../core/set-up.ts";
import type { Frame } from "./walls.ts";

export type SetUpRequest = {
  path: string;
  /** The user's checkout that `copy` is taken from. */
  from: string;
  copy: string[];
  command: string | undefined;
  env: Record<string, string>;
  timeoutMs: number;
  /** The walls that the command runs in; undefined: none. */
  walls?: Frame | undefined;
};

export type Workspaces = {
  /** Undefined where all is set up. */
  setUp(request: SetUpRequest): Promise<SetUpFailure | undefined>;
  tearDown(
    request: Pick<SetUpRequest, "path" | "command" | "env" | "timeoutMs" | "walls">,
  ): Promise<void>;
  /** Changes when something is committed, staged or checked out there; four stats. Undefined: cannot tell. */
  stamp(path: string): Promise<string | undefined>;
};
