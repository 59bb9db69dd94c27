// All letters of one project (or of the factory itself). It owns who has which; the runs' own
// messages bring letters to agents. Letters that are open are never forgotten.
import { FACTORY, type ProjectName } from "../ids.ts";
import { isUnread, type Letter } from "./letter.ts";

export type Mailbox = {
  kind: "mail";
  project: ProjectName;
  next: number;
  letters: Letter[];
  /** How many of Pawl's own it could not take; each was shown to the operator instead. */
  refused?: number;
};

/** Beyond this many open letters further ones are refused, with the reason. */
const OPEN_MAX = 500;
/**
 * Extra room for Pawl's own letters: a busy sender cannot keep gates and the vault from writing.
 */
const OWN_MAX = 1000;
/** Letters that are over are forgotten beyond so many. */
const CLOSED_KEPT_MAX = 200;

export const newMailbox = (project: ProjectName): Mailbox => ({
  kind: "mail",
  project,
  next: 1,
  letters: [],
});

/** Those of the factory are told apart from every project's. */
export const letterId = ({ project, next }: Mailbox): string =>
  project === FACTORY ? `f${next}` : String(next);

/** `own`: Pawl itself writes. Dead letters count: the operator still has to look at them. */
export function roomFor({ letters }: Mailbox, { own }: { own: boolean }): number {
  const kept = letters.filter(({ state }) => state.kind !== "acknowledged").length;
  return Math.max(0, (own ? OWN_MAX : OPEN_MAX) - kept);
}

export const findLetter = ({ letters }: Mailbox, id: string): Letter | undefined =>
  letters.find((letter) => letter.id === id);

/** Waiting for this address, oldest first within a priority. */
export const unreadFor = ({ letters }: Mailbox, to: string): Letter[] =>
  letters.filter((letter) => letter.to === to && isUnread(letter));

export function change(mailbox: Mailbox, id: string, next: (letter: Letter) => Letter): Mailbox {
  const letters = mailbox.letters.map((letter) => (letter.id === id ? next(letter) : letter));
  const same = letters.every((letter, at) => letter === mailbox.letters[at]);
  return same ? mailbox : bounded({ ...mailbox, letters });
}

export function bounded(mailbox: Mailbox): Mailbox {
  const closed = mailbox.letters.filter(({ state }) => state.kind === "acknowledged");
  const surplus = new Set(closed.slice(0, Math.max(0, closed.length - CLOSED_KEPT_MAX)));
  if (surplus.size === 0) return mailbox;
  return { ...mailbox, letters: mailbox.letters.filter((letter) => !surplus.has(letter)) };
}

/** When the first letter that was not collected is given up on. */
export function mailDeadline({ letters }: Mailbox): number | undefined {
  const times = letters.flatMap(({ state }) =>
    state.kind === "waiting" && state.until !== undefined ? [state.until] : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
