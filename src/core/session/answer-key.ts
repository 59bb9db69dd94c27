// Which key gives a person's answer to a dialog on the agent's screen. Only a message that is an
// answer, and whose words are one of the choices, presses anything.

/** A digit, or undefined where the message is no answer to these choices. */
export function answerKey(message: string, choices: string[]): string | undefined {
  if (!/^Id: \S+\nKind: answer\n/.test(message)) return undefined;
  const lines = message.split("\n").map(same);
  const byLabel = choices.findIndex((choice) => lines.includes(same(choice)));
  if (byLabel >= 0 && byLabel < 9) return String(byLabel + 1);
  const number = lines.find((line) => /^[1-9]$/.test(line));
  return number !== undefined && Number(number) <= choices.length ? number : undefined;
}

const same = (text: string): string => text.trim().toLowerCase();
