// `pawl logs REF`: what an agent's terminal showed, and what it shows from now on.
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { linesAfter } from "../output/lines-after.ts";
import { printJson } from "../output/rows.ts";
import { harmless } from "../output/text.ts";
import { positiveCount } from "../options.ts";

const FOLLOW_MS = 500;
const MAX_BYTES = 2_000_000;
const VOLATILE_LINES = 10;

const EXAMPLES = `
Examples:
  pawl logs 7 --lines 50
  pawl logs dev-7 -f         until the run is over`;

type LogsOptions = {
  follow?: true | undefined;
  lines?: number | undefined;
  json?: true | undefined;
};

export type LogPiece = { text: string; next: number; drawn: boolean; over: boolean };

export const addLogs: AddCommand = (program, { deps }) => {
  program
    .command("logs")
    .description("show the output of an agent's terminal")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .option("-f, --follow", "keep showing new entries")
    .option("--lines <number>", "only the last ones", positiveCount)
    .option("--json", "as JSON")
    .action((ref, options) => showLogs(deps(), ref, options))
    .addHelpText("after", EXAMPLES);
};

async function showLogs(deps: Deps, ref: string, options: LogsOptions): Promise<void> {
  const path = `/v1/runs/${encodeURIComponent(ref)}/log`;
  const first = await deps.client.get<LogPiece>(`${path}?bytes=${MAX_BYTES}`);
  const text = lastLines(first.text, options.lines);
  if (options.json === true) {
    printJson(deps, { text });
    return;
  }
  if (text === "") deps.stderr(`the terminal of ${ref} has shown nothing yet\n`);
  else deps.stdout(`${shown(deps, text)}\n`);
  if (options.follow === true) await follow(deps, path, first);
}

async function follow(deps: Deps, path: string, from: LogPiece): Promise<void> {
  const ask = (query: string) => deps.client.get<LogPiece>(`${path}?bytes=${MAX_BYTES}${query}`);
  let last = from;
  let lines = settled(from);
  let isDrawn = false;
  while (!last.over && (await deps.pause(FOLLOW_MS))) {
    const piece = await ask(`&after=${last.next}`);
    isDrawn ||= piece.drawn;
    if (!isDrawn) {
      if (piece.text !== "") deps.stdout(shown(deps, piece.text));
    } else if (piece.next !== last.next || piece.over) {
      const whole = await ask("");
      const now = piece.over ? whole.text.split("\n") : settled(whole);
      for (const line of linesAfter(lines, now)) deps.stdout(`${shown(deps, line)}\n`);
      lines = now;
    }
    last = piece;
  }
}

/** Without the last lines of a screen, where spinners and prompt boxes are drawn again and again. */
const settled = ({ text }: LogPiece): string[] => text.split("\n").slice(0, -VOLATILE_LINES);

const shown = (deps: Deps, text: string): string => (deps.isTty ? harmless(text) : text);

function lastLines(text: string, lines: number | undefined): string {
  const trimmed = text.trimEnd();
  return lines === undefined ? trimmed : trimmed.split("\n").slice(-lines).join("\n");
}
