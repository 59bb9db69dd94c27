// What a prompt says of an earlier PR. Every account may have written its content, so that it is
// quoted as data.
import { fenced } from "./messages.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { EarlierPr } from "../run/run.ts";

/** `harmless`: takes marks out of what others wrote. */
export function earlierPr(
  earlier: EarlierPr | undefined,
  harmless: (text: string) => string,
): string[] {
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
