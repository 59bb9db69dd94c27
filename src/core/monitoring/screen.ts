// What the text of a terminal tells a person: todos, what it does now, how long that usually takes.
// It is shown and never decides: text on a screen proves neither an end nor progress.
export type Todos = { done: number; total: number };

const LABEL_MAX = 80;
const SPINNER = /^\s*[·✢✳✶✻✽∴⏺●◐◓◑◒⠁-⣿*]\s+\p{Lu}/u;
const VERBS =
  /\b(?:loading|reading|searching|parsing|launching|starting|running|testing|building|compiling|installing|writing|editing|updating|creating|fixing|thinking)\b/i;

/** Of the last block of boxes: the same list may have been drawn many times. */
export function countTodos(text: string): Todos {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => /[☐☒]/.test(line));
  let first = last;
  while (first > 0 && /[☐☒]/.test(lines[first - 1] ?? "")) first -= 1;
  const block = last === -1 ? "" : lines.slice(first, last + 1).join("\n");
  const done = [...block.matchAll(/☒/g)].length;
  return { done, total: done + [...block.matchAll(/☐/g)].length };
}

export function activeTask(text: string): string {
  const line = text.split("\n").findLast((one) => SPINNER.test(one) || VERBS.test(one));
  return (line ?? "")
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{Zs}]/gu, "")
    .replace(/^[\s·•*●]+/, "")
    .trim()
    .slice(0, LABEL_MAX);
}

/** Changes with the words on the screen, and not with a spinner, a counter or a clock. */
export const wordsOf = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/\d+\p{L}{0,2}\b/gu, "").replaceAll(/[^\p{L}]+/gu, " "))
    .join("\n")
    .trim();

const WAITS: [RegExp, number][] = [
  [/loading|reading|searching|parsing|launching|starting/i, 30],
  [/presenting|waiting|menu|select|choose/i, 15],
  [/running tests|testing|building|compiling|installing/i, 120],
  [/writing|editing|updating|creating|fixing/i, 60],
];

/** Seconds until another look by hand is worth it. */
export function waitEstimate(label: string, { done, total }: Todos): number {
  const known = WAITS.find(([pattern]) => pattern.test(label));
  if (known !== undefined) return known[1];
  if (total === 0) return 60;
  const share = done / total;
  if (share < 0.25) return 90;
  if (share < 0.5) return 75;
  return share < 0.75 ? 60 : 30;
}
