// Which of a question's choices an answer means: its number, its text, or the beginning of one.
import type { Question } from "../session/evidence.ts";

/** The choice; where the question offers none, any answer fits. Undefined: it fits none. */
export function choiceOf(question: Pick<Question, "choices">, answer: string): string | undefined {
  const { choices } = question;
  const said = answer.trim().toLowerCase();
  if (choices.length === 0) return answer;
  const numbered = /^\d+$/.test(said) ? choices[Number(said) - 1] : undefined;
  const exact = choices.find((choice) => choice.toLowerCase() === said);
  if (exact !== undefined || numbered !== undefined) return exact ?? numbered;
  const beginning = choices.filter(
    (choice) => said !== "" && choice.toLowerCase().startsWith(said),
  );
  return beginning.length === 1 ? beginning[0] : undefined;
}
