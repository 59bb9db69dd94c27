// What Pawl says about formulas and gates, in one place.
export const formulaFailed = (id: string, reason: string): { title: string; body: string } => ({
  title: `formula ${id} failed`,
  body: `${reason}\n\npawl formula status ${id} shows every step.`,
});

export const scheduleFailed = (
  name: string,
  result: "failed" | "timed out",
  note: string,
): { title: string; body: string } => ({
  title: `schedule ${name} ${result}`,
  body: `${note}\n\n\`pawl formula status schedule-${name}\` shows the steps of its last run. Until it succeeds, further failures are not reported.`,
});

/** `anyText`: its question asks for words, not for a decision. */
type GateText = { id: string; title: string; anyText?: boolean };

const answers = ({ id, anyText = false }: GateText): string =>
  anyText
    ? `Answer with: pawl escalation answer gate:${id} "…"`
    : `pawl escalation answer gate:${id} "close: why" closes it, "refuse: why" refuses it, "wait" asks you again later.`;

export const gateWaits = (gate: GateText): { title: string; body: string } => ({
  title: `gate ${gate.id} waits for you: ${gate.title}`,
  body: answers(gate),
});

export const gateOverdue = (gate: GateText): { title: string; body: string } => ({
  title: `gate ${gate.id} is still open: ${gate.title}`,
  body: `It has been open longer than expected; pawl gate list shows its condition. ${answers(gate)}`,
});

export const gatePassed = (
  { id, title }: GateText,
  { by, met, reason }: { by: string; met: boolean; reason: string },
): { subject: string; body: string } => ({
  subject: `gate ${id} is ${met ? "closed" : "refused"}: ${title}`,
  body: `${met ? "The condition is met" : "It was refused"} (by ${by}): ${reason}`,
});

/** To the sender of a letter to a gate that no letter closes. */
export const gateNotForMail = ({ id, title }: GateText): { subject: string; body: string } => ({
  subject: `gate ${id} is not closed by letters: ${title}`,
  body: "It is still open, because it does not wait for a letter. `pawl gate list` shows its condition.",
});
