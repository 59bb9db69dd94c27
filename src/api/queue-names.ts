// What a person calls an entry of the merge queue: its issue or PR (`7`, `#7`), its branch, or the
// entry itself (`e3`). A number never means the entry of another issue. And what the queue says of an
// entry, in words for a person: the reasons of the core are short, name an operator, and number entries
// without their letter.
import { OperationError } from "../lib/operation-error.ts";

/** One entry with its names; the later ones in a list are the newer ones. */
export type NamedEntry = {
  id: number;
  branch: string;
  issue: number | undefined;
  pr: number | undefined;
};

export const entryName = (id: number): string => `e${id}`;

/** The status of an entry in lists and sentences; in JSON it is still `merged`. */
export const statusWord = (status: string): string => (status === "merged" ? "landed" : status);

/** A branch that fails although the target below it passes; `gate`: which of its gates. */
export const FAILED_ALONE = /^red on top of a green target \((?<gate>.*)\)$/;
const SENT_BACK = "sent back: ";
const LOOKING = /^Pawl is looking for conflicts/;
export const NOBODY_LOOKS =
  "no daemon works on the queue: `pawl merge-queue process --until-idle` or `pawl up` does";

/** Also of a reason that begins with what became of the entry. */
export const plainReason = (reason: string, { isAtWork = true } = {}): string => {
  if (reason.startsWith(SENT_BACK)) {
    return `${SENT_BACK}${plainReason(reason.slice(SENT_BACK.length), { isAtWork })}`;
  }
  const gate = FAILED_ALONE.exec(reason)?.groups?.["gate"];
  if (gate !== undefined) return `${gate} passes on the target and fails with this branch on it`;
  if (!isAtWork && LOOKING.test(reason)) return "no daemon works on the queue";
  return reason
    .replace("an operator must approve it", "you must approve it")
    .replaceAll(/\bentry (\d+)\b/g, (_, id: string) => entryName(Number(id)));
};

/** An entry where an explanation names it; what is quoted from a commit stays as it is. */
const NAMED = /(?<=^|\bas |\bwith |, |\()entry (\d+)(?=,| \(| of #|$)/g;

/** A line of `merge-queue explain` and `why`, with the names and words that people see elsewhere. */
export const plainLine = (text: string): string =>
  text
    .replaceAll(NAMED, (_, id: string) => entryName(Number(id)))
    .replace(/, priority 0\)$/, ")")
    .replace(
      /^(tested .*\((?:flaky, )?)remembered\)/,
      "$1known from an earlier test of the same files)",
    )
    .replace("an operator must approve it", "you must approve it");

const TESTED = /^tested (?:alone|as \d+ of \d+)(?=: )/;
const isQuoted = ({ kind, text }: ExplainedLine): boolean =>
  kind === "output" && text.startsWith("|");

type ExplainedLine = { kind: string; text: string };

/** All lines about an entry: a test that is repeated says why, and a gate that was silent says so. */
export function plainLines<L extends ExplainedLine>(
  lines: readonly L[],
  { isAtWork = true } = {},
): L[] {
  const isSilent = lines.filter(isQuoted).every(({ text }) => text.trim() === "|");
  return lines.map((line, index) => {
    if (isQuoted(line) && isSilent) return { ...line, text: "| (the gate printed nothing)" };
    if (line.kind === "output") return line;
    if (!isAtWork && LOOKING.test(line.text)) return { ...line, text: NOBODY_LOOKS };
    if (FAILED_ALONE.test(line.text.replace(SENT_BACK, ""))) {
      return { ...line, text: plainReason(line.text) };
    }
    const text = plainLine(line.text);
    const isAgain = line.text === lines[index - 1]?.text;
    return { ...line, text: isAgain ? text.replace(TESTED, ONCE_MORE) : text };
  });
}

const ONCE_MORE = "$& once more, in case the failure was flaky";

export function findEntry<E>(
  entries: readonly E[],
  named: string,
  namesOf: (entry: E) => NamedEntry,
): E {
  const last = (isIt: (names: NamedEntry) => boolean): E | undefined =>
    entries.findLast((entry) => isIt(namesOf(entry)));
  const byBranch = last(({ branch }) => branch === named);
  if (byBranch !== undefined) return byBranch;
  const { mark = "", digits } = /^(?<mark>#|e)?(?<digits>\d{1,15})$/.exec(named)?.groups ?? {};
  if (digits === undefined) throw unknown(named);
  const number = Number(digits);
  const byId = mark === "#" ? undefined : last(({ id }) => id === number);
  const byWork = mark === "e" ? undefined : last(({ issue, pr }) => [issue, pr].includes(number));
  if (mark !== "" || byId === undefined || byId === byWork) {
    const found = byWork ?? byId;
    if (found === undefined) throw unknown(named);
    return found;
  }
  const entry = namesOf(byId);
  // An entry of a branch that a person added has no other number.
  if (entry.issue === undefined && byWork === undefined) return byId;
  if (byWork === undefined) throw belongsToOther(number, entry);
  if (entry.issue === undefined) throw twoOf(number, entry, namesOf(byWork));
  return byWork;
}

/** As `findEntry`, for entries whose names are their own fields; undefined where none is meant. */
export function entryNamed<E extends NamedEntry>(
  entries: readonly E[],
  named: string,
): E | undefined {
  try {
    return findEntry(entries, named, (entry) => entry);
  } catch (error) {
    if (error instanceof OperationError && error.code === "no-entry") return undefined;
    throw error;
  }
}

const unknown = (named: string): OperationError =>
  new OperationError(`there is no entry ${named} in the merge queue`, {
    code: "no-entry",
    hint: "see `pawl merge-queue list --state all`",
  });

const belongsToOther = (number: number, { issue }: NamedEntry): OperationError =>
  new OperationError(`#${number} is not in the merge queue; entry ${number} belongs to #${issue}`, {
    code: "no-entry",
    hint: `type \`${entryName(number)}\` or \`${issue}\` for that entry`,
  });

const twoOf = (number: number, entry: NamedEntry, other: NamedEntry): OperationError =>
  new OperationError(
    `${number} is two things in the merge queue: entry ${number} (${entry.branch}) and #${number} (${other.branch})`,
    { code: "usage", hint: `type \`${entryName(entry.id)}\` or \`${entryName(other.id)}\`` },
  );
