// The phase protocol: what an agent may say of its own progress.
export const PHASES = ["awaiting_ci", "awaiting_review", "escalate", "done", "failed"] as const;
export type Phase = (typeof PHASES)[number];

export type ParsedPhase =
  | { kind: "phase"; phase: Phase; reason: string | undefined }
  | { kind: "invalid"; line: string }
  | { kind: "unwritten" };

const REASON_MAX = 2000;

/** First line, white space removed; line 2 may be `Reason: …`. An empty file is unwritten. */
export function parsePhase(text: string): ParsedPhase {
  const lines = text.split("\n");
  const word = (lines[0] ?? "").replaceAll(/\s/g, "");
  if (text.trim() === "") return { kind: "unwritten" };
  const phase = phaseNamed(word);
  if (phase === undefined) return { kind: "invalid", line: (lines[0] ?? "").slice(0, 200) };
  return { kind: "phase", phase, reason: reasonOf(lines.slice(1)) };
}

function phaseNamed(word: string): Phase | undefined {
  if (!word.startsWith("PHASE:")) return undefined;
  const name = word.slice("PHASE:".length);
  // The older name of the same thing.
  if (name === "needs_human") return "escalate";
  return PHASES.find((phase) => phase === name);
}

function reasonOf(lines: string[]): string | undefined {
  const text = lines.join("\n").trim();
  if (text === "") return undefined;
  return text.replace(/^Reason:\s*/i, "").slice(0, REASON_MAX);
}

/** The seed's own path, so that its shell lines work; Pawl points it at the current life's file. */
export const phaseLinkPath = (life: { role: string; project: string; name: string }): string =>
  `/tmp/${life.role}-session-${life.project}-${life.name}.phase`;
