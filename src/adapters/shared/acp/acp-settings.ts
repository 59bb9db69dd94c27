// What a runtime tells the driver about its agent, through the host's file: where agents that speak
// the same protocol differ.
export type AcpSettings = {
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
