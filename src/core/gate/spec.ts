// What a gate waits for, as data. A formula's step names one, and so does `pawl gate create`.
export type GateSpec =
  /** Closes by itself. */
  | { kind: "timer"; durationMs: number }
  /** Closed by a person, who reads the question. */
  /** `anyText`: it asks for words, not for a decision, so that every text is an answer. */
  | { kind: "human"; question: string; anyText?: true }
  /** A mail to the gate's own address. */
  | { kind: "mail"; about: string }
  /** The checks of this branch, PR or issue have passed (`gh:run`). */
  | { kind: "ci"; of: string }
  /** The PR is merged or closed (`gh:pr`). */
  | { kind: "pr"; pr: string }
  | { kind: "issue"; issue: string }
  /** Exit code 0 of a command of the project closes it. */
  | { kind: "command"; command: string; everyMs: number; timeoutMs: number }
  /** A decision about this item of the vault. */
  | { kind: "vault"; item: string };

export type GateKind = GateSpec["kind"];

export const GATE_KINDS: readonly GateKind[] = [
  "timer",
  "human",
  "mail",
  "ci",
  "pr",
  "issue",
  "command",
  "vault",
];

/** As other systems' files write them. */
export const GATE_ALIASES: Readonly<Record<string, GateKind>> = { "gh:run": "ci", "gh:pr": "pr" };
