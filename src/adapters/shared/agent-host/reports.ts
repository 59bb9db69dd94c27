// What a driver's events mean in the words of the spool.
import type { Tokens } from "../../../core/usage.ts";
import { oneLine } from "../../../lib/one-line.ts";
import type { DriverEvent, TurnEnd } from "./driver.ts";
import type { SpoolWriter } from "./spool-writer.ts";

const WORD_MAX = 200;
const SENTENCE_MAX = 2_000;
/** Room for the number of a choice. */
const MARK_MAX = 10;

export async function report(event: DriverEvent, spool: SpoolWriter): Promise<void> {
  switch (event.kind) {
    case "tool":
      if (event.status === "begun") return;
      await spool({
        kind: "tool",
        tool: event.name.slice(0, WORD_MAX),
        summary: event.title.slice(0, SENTENCE_MAX),
        ...(event.file === undefined ? {} : { file: event.file.slice(0, WORD_MAX) }),
      });
      return;
    case "usage":
      await spool({
        kind: "usage",
        ...(event.tokens === undefined ? {} : { tokens: event.tokens }),
        ...(event.usd === undefined ? {} : { usd: event.usd }),
        ...(event.model === undefined ? {} : { model: event.model.slice(0, WORD_MAX) }),
        ...(event.parts === undefined ? {} : partsOf(event.parts)),
      });
      return;
    case "context":
      await spool({ kind: "context", percent: Math.min(100, Math.max(0, event.percent)) });
      return;
    case "question":
      await spool({
        kind: "question",
        id: event.id.slice(0, WORD_MAX),
        text: event.text.slice(0, SENTENCE_MAX),
        choices: choicesShown(event.choices),
      });
      return;
    case "compact":
      await spool({ kind: "compact" });
      return;
    case "answered":
      await spool({ kind: "answered", id: event.id });
      return;
    case "warning":
      await spool({ kind: "warning", text: event.text.slice(0, SENTENCE_MAX) });
      return;
    case "turn-began":
      await spool({ kind: "prompt" });
      return;
    default:
  }
}

/** As a person reads them, and as an answer names them: each on one line, and no two alike. */
export function choicesShown(choices: readonly string[]): string[] {
  const known = new Set<string>();
  return choices.map((choice, index) => {
    const line = oneLine(choice).slice(0, WORD_MAX).trim();
    const isNew = line !== "" && !known.has(line.toLowerCase());
    const shown = isNew ? line : `${line.slice(0, WORD_MAX - MARK_MAX)} (${index + 1})`.trim();
    known.add(shown.toLowerCase());
    return shown;
  });
}

const partsOf = ({ input, output, cacheRead, cacheWrite }: Tokens) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_tokens: cacheRead,
  cache_write_tokens: cacheWrite,
});

/** The end of a turn is no success: what follows is decided by the phase. */
export async function reportEnd(end: TurnEnd, spool: SpoolWriter): Promise<void> {
  switch (end.kind) {
    case "ended":
    case "interrupted":
      return spool({ kind: "stop", background: 0 });
    case "limited":
      return spool({
        kind: "limit",
        reason: end.reason.slice(0, SENTENCE_MAX),
        ...(end.until === undefined ? {} : { until: end.until }),
      });
    case "failed":
      return spool({ kind: "help", text: end.reason.slice(0, SENTENCE_MAX) });
    case "refused":
      return reportUnusable(end.reason, spool);
    case "gone":
  }
}

/** It cannot work: a person is asked, or another agent continues. */
export const reportUnusable = (why: string, spool: SpoolWriter): Promise<void> =>
  spool({ kind: "help", text: why.slice(0, SENTENCE_MAX), unusable: true });
