// `pawl logs REF`: what an agent's terminal showed, and what it shows from now on.
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import type { Follower } from "../follow-changes.ts";
import { linesAfter } from "../output/lines-after.ts";
import { printJson } from "../output/rows.ts";
import { shownRef, typedRef } from "../output/shown-ref.ts";
import { drawnText, programText } from "../output/terminal-text.ts";
import { positiveCount } from "../options.ts";

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

export type LogPiece = {
  text: string;
  next: number;
  drawn: boolean;
  over: boolean;
  /** Whose terminal it is; an older daemon does not tell. */
  run?: { issue: number | null; identity: string; pr: number | null };
};

export const addLogs: AddCommand = (program, { deps }) => {
  program
    .command("logs")
    .description("show the output of an agent's terminal")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .option("-f, --follow", "keep showing new entries")
    .option("--lines <number>", "only the last lines", positiveCount)
    .option("--json", "print JSON")
    .action((ref, options) => showLogs(deps(), ref, options))
    .addHelpText("after", EXAMPLES);
};

/** A PR's number leads to the run of its issue, as in `pawl why`: say which is shown. */
function sayWhose(deps: Deps, ref: string, { run }: LogPiece): void {
  const number = Number(ref.replace(/^#/, ""));
  if (run === undefined || run.pr !== number || run.issue === number) return;
  deps.stderr(`#${number} is the PR of ${shownRef(run)}; this is about ${shownRef(run)}\n`);
}

async function showLogs(deps: Deps, ref: string, options: LogsOptions): Promise<void> {
  const path = `/v1/runs/${encodeURIComponent(ref)}/log`;
  if (options.json === true) {
    const { text } = await firstPiece(deps, path);
    printJson(deps, { text: lastLines(text, options.lines) });
  } else if (options.follow === true) {
    const follower = await deps.client.follow({ run: ref });
    try {
      await follow({ deps, path, follower }, await showFirst(deps, ref, { path, options }));
    } finally {
      follower.close();
    }
  } else {
    await showFirst(deps, ref, { path, options });
  }
}

const firstPiece = (deps: Deps, path: string): Promise<LogPiece> =>
  deps.client.get<LogPiece>(`${path}?bytes=${MAX_BYTES}`);

async function showFirst(
  deps: Deps,
  ref: string,
  { path, options }: { path: string; options: LogsOptions },
): Promise<LogPiece> {
  const first = await firstPiece(deps, path);
  sayWhose(deps, ref, first);
  const text = lastLines(first.text, options.lines);
  if (text === "") {
    const shown = first.over
      ? "showed nothing on its terminal"
      : "has shown nothing on its terminal yet";
    deps.stderr(`the agent of ${typedRef(ref)} ${shown}\n`);
  } else deps.stdout(`${(first.drawn ? drawnText : programText)(deps, text)}\n`);
  return first;
}

async function follow(
  { deps, path, follower }: { deps: Deps; path: string; follower: Follower },
  from: LogPiece,
): Promise<void> {
  const ask = (query: string) => deps.client.get<LogPiece>(`${path}?bytes=${MAX_BYTES}${query}`);
  let last = from;
  let lines = settled(from);
  let isDrawn = from.drawn;
  while (!last.over && (await follower.changed())) {
    const piece = await ask(`&after=${last.next}`);
    isDrawn ||= piece.drawn;
    if (!isDrawn) {
      if (piece.text !== "") deps.stdout(programText(deps, piece.text));
    } else if (piece.next !== last.next || piece.over) {
      const whole = await ask("");
      const now = piece.over ? whole.text.split("\n") : settled(whole);
      for (const line of linesAfter(lines, now)) deps.stdout(`${drawnText(deps, line)}\n`);
      lines = now;
    }
    last = piece;
  }
}

/** Without the last lines of a screen, where spinners and prompt boxes are drawn again and again. */
const settled = ({ text }: LogPiece): string[] => text.split("\n").slice(0, -VOLATILE_LINES);

function lastLines(text: string, lines: number | undefined): string {
  const trimmed = text.trimEnd();
  return lines === undefined ? trimmed : trimmed.split("\n").slice(-lines).join("\n");
}
