// Why an agent crashed whenever it was started, in one line where people look first: the line of its
// terminal that says so. The whole terminal is shown by `pawl logs`.
import { isCrashLoop, type Run } from "../../core/run/run.ts";

/** What the terminal of a run showed last. */
export type Terminal = (run: Run) => Promise<string>;

/** Enough for the end of a long stack trace. */
export const CAUSE_MAX_BYTES = 8_000;
const LINES_READ = 40;
const CHARACTERS_MAX = 200;

/** What programs write where they fail; the last such line says more than the last line. */
const FAILURE =
  /\b(?:errors?|cannot|can't|could not|unable|fail(?:ed|ure|s)?|fatal|panic|exception|denied|refused|missing|invalid|no such|not found|not (?:logged|signed) in|unauthorized)\b|[a-z](?:Error|Exception)\b|\bE[A-Z]{4,}\b/i;
/** Lines of boxes and rules have none. */
const HAS_WORD = /\p{L}{2}/u;
/** What a program draws around its words. */
const FRAME = /^[\s\u2500-\u259F|*>]+|[\s\u2500-\u259F|]+$/gu;

/** Undefined where it shows no words. */
export function causeIn(text: string): string | undefined {
  const lines = text
    .split("\n")
    .slice(-LINES_READ)
    .map((line) => line.replaceAll(FRAME, ""))
    .filter((line) => HAS_WORD.test(line));
  const said = lines.findLast((line) => FAILURE.test(line)) ?? lines.at(-1);
  if (said === undefined || said.length <= CHARACTERS_MAX) return said;
  return `${said.slice(0, CHARACTERS_MAX - 1)}…`;
}

export async function crashCause(
  run: Run,
  terminal: Terminal | undefined,
): Promise<string | undefined> {
  if (terminal === undefined || !isCrashLoop(run)) return undefined;
  return causeIn(await terminal(run));
}
