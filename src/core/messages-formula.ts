// What Pawl says about formulas and gates, in one place.
export const formulaFailed = (id: string, reason: string): { title: string; body: string } => ({
  title: `formula ${id} failed`,
  body: `${reason}\n\npawl formula status ${id} shows every step.`,
});

type GateText = { id: string; title: string };

const answers = (id: string): string =>
  `pawl escalation answer gate:${id} "close: why" lets it go on, "refuse: why" does not, "wait" asks you again later.`;

export const gateWaits = ({ id, title }: GateText): { title: string; body: string } => ({
  title: `gate ${id} waits for you: ${title}`,
  body: answers(id),
});

export const gateOverdue = ({ id, title }: GateText): { title: string; body: string } => ({
  title: `gate ${id} is still open: ${title}`,
  body: `It waits longer than it was meant to; pawl gate list says for what. ${answers(id)}`,
});

export const gatePassed = (
  { id, title }: GateText,
  { by, met, reason }: { by: string; met: boolean; reason: string },
): { subject: string; body: string } => ({
  subject: `gate ${id} is ${met ? "closed" : "refused"}: ${title}`,
  body: `${met ? "What you waited for has come" : "It was refused"} (by ${by}): ${reason}`,
});

/** To whoever wrote to a gate that no letter closes. */
export const gateNotForMail = ({ id, title }: GateText): { subject: string; body: string } => ({
  subject: `gate ${id} is not closed by letters: ${title}`,
  body: "It is still open: what it waits for is something else. `pawl gate list` says what.",
});
