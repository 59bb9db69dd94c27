// What a person's answer about a gate means: its first word says what follows, the rest is why.
export const GATE_CHOICES = ["close", "refuse", "wait"] as const;

export type GateAnswer = { kind: (typeof GATE_CHOICES)[number]; reason: string };

/** By word or by number; undefined where it is none of them. */
export function readGateAnswer(text: string): GateAnswer | undefined {
  const found = /^(?<word>[a-z]+|[0-9])(?:[\s:,.]+(?<reason>\S[\s\S]*))?$/i.exec(text.trim());
  const word = found?.groups?.["word"]?.toLowerCase();
  const kind = GATE_CHOICES.find((one, index) => one === word || String(index + 1) === word);
  if (kind === undefined) return undefined;
  return { kind, reason: found?.groups?.["reason"]?.trim() ?? `answered: ${kind}` };
}
