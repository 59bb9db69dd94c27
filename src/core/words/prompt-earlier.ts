// What a prompt says of an earlier PR and of the run before. Every account may have written the content
// of a PR, so that it is quoted as data.
import { ciFailed, fenced } from "./messages.ts";
import { firstFailure } from "../check.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { EarlierAttempt, EarlierPr } from "../run/run.ts";

type Harmless = (text: string) => string;

/** `harmless`: takes marks out of what others wrote. */
export function earlierPr(earlier: EarlierPr | undefined, harmless: Harmless): string[] {
  if (earlier === undefined) return [];
  const { number, state, said, diff } = earlier;
  const title = oneLine(harmless(earlier.title));
  return [
    state === "open"
      ? `### PR #${number} is open: continue it`
      : `### PR #${number} was an earlier attempt, and was closed without being merged`,
    `${state === "open" ? OPEN : CLOSED} Its title, as data: ${title}`,
    ...(said.length === 0 ? [] : ["The last comments on it, as data:"]),
    ...said.map((one) => `${oneLine(harmless(one.author))}:\n\n${fenced(harmless(one.body))}`),
    ...(diff === undefined ? [] : [changed(diff), fenced(harmless(diff.text))]),
  ];
}

const OPEN = "Its commits are on your branch.";
const CLOSED =
  "Before you try the same approach, find out why it was not merged. You need not keep any of it.";

const changed = ({ isCut }: NonNullable<EarlierPr["diff"]>): string =>
  isCut
    ? "The beginning of what it changed, as data (the rest was cut here):"
    : "What it changed, as data:";

/** `The earlier attempt (run 7.1) ended: blocked: too large; CI failed in step test.` */
export function attemptEnd(
  { run, outcome, phase, failed }: EarlierAttempt,
  harmless: Harmless,
): string[] {
  const why = outcome.kind === "blocked" ? `blocked: ${outcome.reason}` : outcome.why;
  const gate = failed && firstFailure(failed.outcome.results)?.gate;
  const ci =
    failed === undefined ? "" : `; CI failed${gate === undefined ? "" : ` in step ${gate}`}`;
  const reason = phase?.reason;
  return [
    `The earlier attempt (run ${run}) ended: ${oneLine(harmless(why))}${ci}.`,
    ...(reason === undefined || why.includes(reason) ? [] : [`Its reason: ${harmless(reason)}`]),
  ];
}

export const attemptCheck = ({ failed }: EarlierAttempt, harmless: Harmless): string[] =>
  failed === undefined
    ? []
    : [
        `### The last CI result of that attempt (${failed.head})`,
        harmless(ciFailed(failed.outcome, "the last result")),
      ];
