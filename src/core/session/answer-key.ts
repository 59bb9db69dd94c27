// Which choice of a question a person's answer means, and which key gives it to a dialog on the agent's
// screen. Only a message that is an answer, and whose words are one of the choices, answers anything.

/** A digit, or undefined where the message is no answer to these choices. */
export function answerKey(message: string, choices: string[]): string | undefined {
  const index = answerIndex(message, choices);
  return index === undefined || index >= KEYS ? undefined : String(index + 1);
}

const KEYS = 9;

/** Counts from 0. */
export function answerIndex(message: string, choices: string[]): number | undefined {
  if (!/^Id: \S+\nKind: answer\n/.test(message)) return undefined;
  const lines = message.split("\n").map(same);
  const byLabel = choices.findIndex((choice) => lines.includes(same(choice)));
  if (byLabel >= 0) return byLabel;
  const number = Number(lines.find((line) => /^[1-9]\d*$/.test(line)));
  return number <= choices.length ? number - 1 : undefined;
}

const same = (text: string): string => text.trim().toLowerCase();
