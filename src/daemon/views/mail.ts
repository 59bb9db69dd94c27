// Letters as they are shown: an inbox has what waits for its reader; the operator's also has the
// dead letters.
import type { LetterView } from "../../api/mail.ts";
import type { WaitView } from "../../api/runs.ts";
import { OPERATOR } from "../../core/mail/address.ts";
import { isOpenLetter, isUnread, type Letter } from "../../core/mail/letter.ts";
import { roomFor, type Mailbox } from "../../core/mail/mailbox.ts";
import { full } from "../../core/mail/voice.ts";
import { iso } from "./agents.ts";

export const letterView = (project: string, letter: Letter): LetterView => {
  const { id, thread, from, by, to, subject, body, priority, at, state } = letter;
  const sender = by === undefined ? from : `${by} (${from})`;
  const status = state.kind;
  const detail = detailOf(letter);
  return {
    id,
    project,
    thread,
    from: sender,
    to,
    subject,
    body,
    priority,
    at: iso(at),
    status,
    detail,
  };
};

function detailOf({ state }: Letter): string {
  switch (state.kind) {
    case "handed":
      return `with run ${state.run}`;
    case "acknowledged":
      return `by ${state.by}`;
    case "dead":
      return state.why;
    default:
      return "";
  }
}

/** `all`: also what is acknowledged. */
export function inboxView(
  mailboxes: Mailbox[],
  wanted: { reader: string; all: boolean },
): LetterView[] {
  const isWanted = (letter: Letter): boolean => {
    if (letter.to !== wanted.reader) {
      return wanted.reader === OPERATOR && letter.state.kind === "dead";
    }
    return wanted.all || isOpenLetter(letter) || letter.state.kind === "dead";
  };
  return mailboxes.flatMap(({ project, letters }) =>
    letters.filter(isWanted).map((letter) => letterView(project, letter)),
  );
}

/** What the operator has not read, in one line per project. */
export const mailWaits = (mailboxes: Mailbox[], shownIn: string | undefined): WaitView[] =>
  mailboxes.flatMap((mailbox) => [...fullWait(mailbox, shownIn), ...unreadWait(mailbox, shownIn)]);

const shownAs = (project: string, shownIn: string | undefined): string =>
  project === "-" ? (shownIn ?? project) : project;

function fullWait(mailbox: Mailbox, shownIn: string | undefined): WaitView[] {
  if (roomFor(mailbox, { own: false }) > 0) return [];
  const project = shownAs(mailbox.project, shownIn);
  const command = "pawl mail inbox";
  return [{ project, about: "mail", why: full(), needs_you: true, command }];
}

function unreadWait({ project, letters }: Mailbox, shownIn: string | undefined): WaitView[] {
  const unread = letters.filter(
    (letter) => isUnread(letter) && (letter.to === OPERATOR || letter.state.kind === "dead"),
  );
  const [first] = unread.toSorted((a, b) => b.at - a.at);
  if (first === undefined) return [];
  const more = unread.length === 1 ? "" : ` (and ${unread.length - 1} more)`;
  const why = `${first.by ?? first.from} writes: ${first.subject}${more}`;
  const where = shownAs(project, shownIn);
  const command = more === "" ? `pawl mail read ${first.id}` : "pawl mail inbox";
  // Nothing stands still for it.
  return [{ project: where, about: "mail", why, needs_you: false, command }];
}
