// How many terminal columns a text takes, and how to cut it to fit. East Asian
// wide characters and emoji take two columns, combining marks and escape sequences
// none. Not `string-width`: it makes its segmenter when it is loaded, which every
// command would pay for (21 ms); a test compares the two.
import { eastAsianWidth } from "get-east-asian-width";

// Made at its first use: it takes 20 ms or more, and most texts are plain ASCII.
let segmenter: Intl.Segmenter | undefined;

const graphemesOf = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text.replace(ESCAPE, ""));
};

// Colours as util.styleText writes them, hyperlinks, and what moves the cursor or clears a line.
// oxlint-disable-next-line no-control-regex
const ESCAPE = /\u001b\[[0-9;:?]*[A-Za-z]|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0020-\u007e]*$/;
const EMOJI = /^\p{Emoji_Presentation}|\ufe0f|^\p{Regional_Indicator}{2}/u;
const INVISIBLE = /^(?:\p{Control}|\p{Mark}|\p{Default_Ignorable_Code_Point})+$/u;

// Signs of Indic scripts that stand beside their letter.
const SPACING_MARKS = /\p{Spacing_Mark}/gu;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
  }
  return width;
}

// At most widthMax columns, the last one an ellipsis where something was cut.
// Cutting drops colours, because half a sequence would colour the rest of the line.
export function cutToWidth(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text;
  if (widthMax > 0 && ASCII.test(text)) return `${text.slice(0, widthMax - 1)}…`;
  let result = "";
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > widthMax - 1) break;
    result += segment;
  }
  return widthMax > 0 ? `${result}…` : "";
}

// The same from the other end, for paths: `…/workspaces/dev-42`.
export function cutFromLeft(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text;
  if (widthMax <= 0) return "";
  const kept: string[] = [];
  let width = 1;
  for (const { segment } of [...graphemesOf(text)].toReversed()) {
    width += graphemeWidth(segment);
    if (width > widthMax) break;
    kept.unshift(segment);
  }
  return `…${kept.join("")}`;
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  if (EMOJI.test(grapheme)) return 2;
  const marks = grapheme.match(SPACING_MARKS)?.length ?? 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0) + marks;
}
