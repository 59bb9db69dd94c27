// What Pawl says about formulas and gates, in one place.
export const formulaFailed = (id: string, reason: string): { title: string; body: string } => ({
  title: `formula ${id} failed`,
  body: `${reason}\n\npawl formula status ${id} shows every step.`,
});

/** `anyText`: its question asks for words, not for a decision. */
type GateText = { id: string; title: string; anyText?: boolean };

const answers = ({ id, anyText = false }: GateText): string =>
  anyText
    ? `Answer with: pawl escalation answer gate:${id} "…"`
    : `pawl escalation answer gate:${id} "close: why" lets it go on, "refuse: why" does not, "wait" asks you again later.`;

export const gateWaits = (gate: GateText): { title: string; body: string } => ({
  title: `gate ${gate.id} waits for you: ${gate.title}`,
  body: answers(gate),
});

export const gateOverdue = (gate: GateText): { title: string; body: string } => ({
  title: `gate ${gate.id} is still open: ${gate.title}`,
  body: `It waits longer than it was meant to; pawl gate list says for what. ${answers(gate)}`,
});

export const gatePassed = (
  { id, title }: GateText,
  { by, met, reason }: { by: string; met: boolean; reason: string },
): { subject: string; body: string } => ({
  subject: `gate ${id} is ${met ? "closed" : "refused"}: ${title}`,
  body: `${met ? "What you waited for has come" : "It was refused"} (by ${by}): ${reason}`,
});

/** To the sender of a letter to a gate that no letter closes. */
export const gateNotForMail = ({ id, title }: GateText): { subject: string; body: string } => ({
  subject: `gate ${id} is not closed by letters: ${title}`,
  body: "It is still open: what it waits for is something else. `pawl gate list` says what.",
});
