// Which choice of a question a person's answer means, and which key gives it to a dialog on the agent's
// screen. Only a message that is an answer to this very question, and whose words are one of its
// choices, answers anything: "Yes" to another question would permit what the person has not read.
import { oneLine } from "../../lib/one-line.ts";
import type { Question } from "./evidence.ts";

const ID_MAX = 200;
const HEAD = /^Id: \S+\nKind: answer\n(?:Question: (?<question>.*)\n)?/;

/** Pawl's own line below the words of an answer. */
export const ANSWER_END = "Continue the work.";

/** The line in the head of an answer. */
export const questionLine = (question: Question | "none"): string =>
  `Question: ${question === "none" ? question : lineOf(question.id)}`;

/**
 * A digit, or undefined where the message is no answer to these choices. What the screen shows has no
 * id: the caller has compared the question.
 */
export function answerKey(message: string, choices: string[]): string | undefined {
  const index = HEAD.test(message) ? indexIn(message, choices) : undefined;
  return index === undefined || index >= KEYS ? undefined : String(index + 1);
}

const KEYS = 9;

/** The labels of a dialog are these, cut off or with more behind them; it may have others of its own. */
export function showsChoices({ choices }: Pick<Question, "choices">, shown: string[]): boolean {
  const labels = shown.map(same);
  const isShown = (choice: string): boolean =>
    labels.some((label) => label.startsWith(choice) || choice.startsWith(label));
  return choices.map(same).every(isShown);
}

/**
 * Counts from 0. A message that names no question was typed below the one that is shown, or is of an
 * earlier version: it is for the one that is open.
 */
export function answerIndex(
  message: string,
  { id, choices }: Omit<Question, "text">,
): number | undefined {
  const head = HEAD.exec(message);
  const named = head?.groups?.["question"];
  if (head === null || (named !== undefined && named !== lineOf(id))) return undefined;
  return indexIn(message, choices);
}

/** An id is a text of the agent's: on one line, it cannot be a further line of the head. */
const lineOf = (id: string): string => oneLine(id.slice(0, ID_MAX));

/** One line that is a choice is enough, and more may be said beside it; lines that are two choices are none. */
function indexIn(message: string, choices: string[]): number | undefined {
  const lines = answerWords(message).split("\n").map(same);
  const named = choices.flatMap((choice, index) => (lines.includes(same(choice)) ? [index] : []));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const number = Number(lines.find((line) => /^[1-9]\d*$/.test(line)));
  return number <= choices.length ? number - 1 : undefined;
}

const same = (text: string): string => text.trim().toLowerCase();

/** What the person wrote, of the file of such an answer: Pawl's own lines in it choose nothing. */
function answerWords(file: string): string {
  const begin = file.indexOf("\n\n");
  const body = file.slice(begin + 2).replace(/^[^\n]* answers:\n\n/, "");
  const end = body.lastIndexOf(`\n\n${ANSWER_END}`);
  return end < 0 ? body : body.slice(0, end);
}
