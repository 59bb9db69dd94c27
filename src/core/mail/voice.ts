// What the mailbox says for itself, to the operator.
import type { NewLetter } from "./letter.ts";

/** A letter of Pawl's own that could not be taken: said here instead, whole. */
export const unmailed = (
  { to, subject, body }: NewLetter,
  problem: string,
): { title: string; body: string } => ({
  title: `Pawl could not accept a letter ${to === undefined ? "without a recipient" : `to ${to}`}: ${subject}`,
  body: `${problem}\n\n${body}`,
});

export const full = (): string =>
  "the mailbox is full: Pawl refuses new letters until you acknowledge some";
