// What the mailbox says for itself, to the operator.
import type { NewLetter } from "./letter.ts";

/** A letter of Pawl's own that could not be taken: said here instead, whole. */
export const unmailed = (
  { to, subject, body }: NewLetter,
  problem: string,
): { title: string; body: string } => ({
  title: `a letter to ${to ?? "no address"} could not be accepted: ${subject}`,
  body: `${problem}\n\n${body}`,
});

export const full = (): string =>
  "the mailbox is full: what agents and people write is refused until some letters are acknowledged";
