// What a runtime tells the driver about its agent, through the host's file: where agents that speak
// the same protocol differ.
import type { Tested } from "../program-version.ts";

export type AcpSettings = {
  /** The version that Pawl is tested with; undefined for a program that the user names. */
  tested?: Tested;
  /** What a person does to sign in; undefined: the agent says it itself. */
  signIn?: string;
  /** `_meta` of session/new, session/load and session/resume: options that only this agent has. */
  meta?: Record<string, unknown>;
  /** The session's mode, by the agent's own name for it. */
  mode?: string;
  /** The model is chosen by an option of the session; otherwise the arguments have said it. */
  chooseModel?: true;
  /** What the usage in the answer to a prompt counts: this turn, or all since the program started. */
  usage?: "turn" | "program";
  /** Text by which the agent says that a turn failed, where its protocol calls that turn ended. */
  failureText?: string;
};
