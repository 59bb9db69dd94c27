// Marks that Pawl hides in the texts it writes on a forge, as HTML comments: the key of a call, so
// that a call repeated after a crash finds what the first one made; who claims an issue; which head
// a review is about. They are removed before a text is shown. Every account can write a mark, so
// the reader checks the author first.

/** Keys hold anything; a comment of HTML must not hold `--` or `>`. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("-", "%2D");

const OWN_MARKS = /(?:\n\n)?<!-- (?:pawl|pawl-claim|pawl-issue|reviewed):[^>]* -->/g;
const REVIEWED = /<!-- reviewed: ([0-9a-f]{7,64})(?: ([a-z-]+))? -->/;

export const keyMark = (key: string): string => `<!-- pawl:${encoded(key)} -->`;

/** Which factory took an issue, as what. `home`: the PAWL_HOME it lives in; older marks have none. */
export type ClaimMark = { factory: string; home: string | undefined; key: string };

export const claimMark = ({ factory, home, key }: ClaimMark): string =>
  `<!-- pawl-claim:${encoded(`${factory} ${key}`)}${home === undefined ? "" : ` home:${home}`} -->`;

export function claimIn(body: string): ClaimMark | undefined {
  const [, text, home] = /<!-- pawl-claim:(\S+)(?: home:(\w+))? -->/.exec(body) ?? [];
  const [, factory, key] = /^(\S+) (.+)$/.exec(decoded(text ?? "")) ?? [];
  return factory === undefined || key === undefined ? undefined : { factory, home, key };
}

/** Every account can write a mark; one that cannot be decoded is ignored. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}

export const issueMark = (issue: number): string => `<!-- pawl-issue:${issue} -->`;
/** Put on a review that is only a comment. */
export const DISMISSED_MARK = "<!-- pawl:dismissed -->";
export const isDismissed = (body: string): boolean => body.includes(DISMISSED_MARK);

/** The issue that a PR is about: by our own mark, else by the words that close an issue. */
export function issueIn(body: string, isOurs: boolean): number | undefined {
  const marked = isOurs ? /<!-- pawl-issue:(\d+) -->/.exec(body) : null;
  const found = marked ?? /\b(?:fixes|closes|resolves) #(\d+)\b/i.exec(body);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** Without the verdict it is the mark that reviewers of other systems leave. */
export const reviewedMark = (head: string, verdict: string): string =>
  `<!-- reviewed: ${head} ${verdict} -->`;

/** The text may quote others: marks in it are not ours, and are left out. */
export function withMarks(text: string, ...marks: string[]): string {
  const body = withoutMarks(text);
  return [...(body === "" ? [] : [body]), ...marks].join("\n\n");
}

export const withoutMarks = (body: string): string => body.replaceAll(OWN_MARKS, "");

/** The marks of a text, so that an edit of the text can keep them. */
export const marksIn = (body: string): string[] =>
  [...body.matchAll(OWN_MARKS)].map(([mark]) => mark.trim());

/** Pawl wrote it: it carries the key it was made under. */
export const isOwn = (body: string): boolean => body.includes("<!-- pawl:");

export const hasClaim = (body: string): boolean => body.includes("<!-- pawl-claim:");

export function reviewedIn(
  body: string,
): { head: string; verdict: string | undefined } | undefined {
  const found = REVIEWED.exec(body);
  if (found?.[1] === undefined) return undefined;
  return { head: found[1], verdict: found[2] ?? boldVerdict(body) };
}

/** The first of `**APPROVE**`, `**REQUEST_CHANGES**`, `**DISCUSS**`. */
function boldVerdict(body: string): string | undefined {
  const word = /\*\*(APPROVED?|REQUEST[_-]CHANGES|DISCUSS)\*\*/i.exec(body)?.[1];
  return word?.toLowerCase().replace("_", "-").replace("approved", "approve");
}
