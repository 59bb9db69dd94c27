// `pawl top`: the status, live. On a terminal it fills the screen and stays up to date, with a summary
// in the last line; in a pipe the summary is printed at every change.
import type { StatusView } from "../../api/runs.ts";
import { textWidth } from "../../lib/text-width.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import type { Follower } from "../follow-changes.ts";
import { allProjects } from "../options.ts";
import { ofToday, summaryLine, summaryLines, type Summed } from "../output/summary-line.ts";
import { statusForPeople } from "../output/status-for-people.ts";
import { paint } from "../output/text.ts";

/** Spans of time on the screen grow by the second. */
const REDRAW_MS = 1_000;
const ENTER = "\u001B[?1049h\u001B[?25l";
const LEAVE = "\u001B[?25h\u001B[?1049l";
const HOME = "\u001B[H";
const CLEAR_REST_OF_LINE = "\u001B[K";
const LEAVES = "  q: leave";
const CLEAR_BELOW = "\u001B[J";

const EXAMPLES = `
Examples:
  pawl top
  pawl top --all-projects      every project of this factory

q or Ctrl-C leaves; agents keep running. Landed and cost are those of today (UTC).`;

export const addTop: AddCommand = (program, { deps }) => {
  program
    .command("top")
    .description("show the status live, with a summary in the last line")
    .addOption(allProjects())
    .option("--json", "one object per line, at every change")
    .action((options) => top(deps(), options))
    .addHelpText("after", EXAMPLES);
};

type Options = { all?: true | undefined; json?: true | undefined };

async function top(deps: Deps, options: Options): Promise<void> {
  const follower = await deps.client.follow();
  try {
    if (deps.screen() === undefined || options.json === true) {
      await printChanges(deps, follower, options);
    } else await fillScreen(deps, follower, options);
  } finally {
    follower.close();
  }
}

const read = (deps: Deps, { all }: Options): Promise<StatusView> =>
  deps.client.get<StatusView>(all === true ? "/v1/status?all=true" : "/v1/status");

async function printChanges(deps: Deps, follower: Follower, options: Options): Promise<void> {
  let shown = "";
  do {
    const status = await read(deps, options);
    const text =
      options.json === true
        ? JSON.stringify(status)
        : summaryLine(summedOf(deps, status), Infinity);
    if (text !== shown) deps.stdout(`${text}\n`);
    shown = text;
  } while (await follower.changed());
}

async function fillScreen(deps: Deps, follower: Follower, options: Options): Promise<void> {
  const keys = deps.quitKey();
  let isOver = false;
  const leave = (): void => {
    isOver = true;
    follower.close();
  };
  keys.pressed.then(leave, leave);
  let status: StatusView | undefined;
  const draw = (): void => {
    if (status !== undefined && !isOver) deps.stdout(screenText(deps, status));
  };
  const timer = setInterval(draw, REDRAW_MS);
  deps.stdout(ENTER);
  try {
    do {
      status = await read(deps, options);
      draw();
    } while (!isOver && (await follower.changed()));
  } finally {
    clearInterval(timer);
    keys.close();
    deps.stdout(LEAVE);
  }
}

function screenText(deps: Deps, status: StatusView): string {
  const { columns, rows } = deps.screen() ?? { columns: deps.columns, rows: 24 };
  const lines = linesFor({ ...deps, columns }, status, rows - 2);
  const empty = Array.from({ length: rows - 2 - lines.length }, () => "");
  // The last column stays free. The key that leaves is in sight wherever there is room for it.
  const room = columns - 1 - LEAVES.length;
  // The line above the summary stays empty, but for what the summary has no room for.
  const [summary, more] = summaryLines(summedOf(deps, status), {
    first: room,
    second: columns - 1,
  });
  const filled = [...lines, ...empty, more];
  const left = room - textWidth(summary);
  const bar = left < 0 ? summary : `${summary}${" ".repeat(left)}${LEAVES}`;
  const above = filled.map((line) => `${line}${CLEAR_REST_OF_LINE}\r\n`).join("");
  return `${HOME}${above}${paint(deps, "inverse", bar)}${CLEAR_BELOW}`;
}

/** What landed first goes first where the screen is too small; what needs a person stays. */
function linesFor(deps: Deps, status: StatusView, rowsMax: number): string[] {
  const { landed } = status;
  const withLatest = (count: number): string[] =>
    statusForPeople(deps, { ...status, landed: landed.slice(0, count) })
      .trimEnd()
      .split("\n");
  const whole = withLatest(landed.length);
  if (whole.length <= rowsMax) return whole;
  const note = (text: string): string => paint(deps, "dim", `… ${text}: \`pawl status\` shows all`);
  for (let count = landed.length - 1; count >= 0; count -= 1) {
    const lines = withLatest(count);
    const left = landed.length - count;
    if (lines.length < rowsMax)
      return [...lines, note(count === 0 ? `${left} landed` : `${left} more landed`)];
  }
  const short = withLatest(0);
  // The last line says how much has landed.
  if (short.length <= rowsMax) return short;
  const more = short.length - rowsMax + 1;
  return [...short.slice(0, rowsMax - 1), note(`${more} more lines`)];
}

const summedOf = (deps: Deps, status: StatusView): Summed => ({
  status,
  since: "today",
  ...ofToday(status),
  elapsedMs: upFor(deps, status),
  now: deps.now(),
});

const upFor = (deps: Deps, { daemon }: StatusView): number | undefined => {
  const since = Date.parse(daemon?.since ?? "");
  return Number.isNaN(since) ? undefined : deps.now() - since;
};
