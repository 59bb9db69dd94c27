// The live view: one line for everything a person cares for, as a story that can be read afterwards
// too. What is worth a line is decided in story-lines.ts.
import type { RunView, StatusView, WaitView } from "../../api/runs.ts";
import { textWidth } from "../../lib/text-width.ts";
import type { Foreground } from "../daemon-main.ts";
import type { Deps } from "../deps.ts";
import { waitCommands, waitReason } from "./wait-words.ts";
import { CI_RUNS, newsOf, type News, type Tone } from "./story-lines.ts";
import { cutToFill } from "./table.ts";
import { harmless, paint } from "./text.ts";
import { shownRef } from "./shown-ref.ts";
import { wrapLine } from "./wrap.ts";

/** A check that takes longer than this is worth a line of its own. */
const LONG_CHECK_MS = 5_000;
const TITLE_WIDTH_MIN = 16;
const TITLE_WIDTH_MAX = 64;
/** In a narrower column a sentence is harder to read than below the line. */
const TEXT_WIDTH_MIN = 24;
const STYLES = {
  plain: "white",
  good: "green",
  warning: "yellow",
  bad: "red",
  dim: "dim",
} as const;

/** `titles`: of the runs to come, where they are known, so that no column moves on the way. */
type Terminal = Pick<Deps, "stderr" | "stderrColumns" | "now" | "colour" | "columns"> & {
  titles?: readonly string[];
};
type Told = Pick<Foreground, "first" | "status" | "onChange" | "look" | "lastExit">;

export type Story = {
  /** Resolves when nothing moves any more; the status is the last one. */
  untilIdle(): Promise<StatusView>;
  stop(): void;
};

export const createStory = (terminal: Terminal, foreground: Told): Story =>
  new Storyteller(terminal, foreground);

class Storyteller implements Story {
  readonly #terminal: Terminal;
  readonly #foreground: Told;
  /** By project and run. */
  readonly #known = new Map<string, RunView>();
  /** Runs that were over before Pawl did anything. */
  readonly #over: Set<string>;
  /** What waits for a person, and was said. */
  #waits = new Set<string>();
  readonly #checks = new Map<string, NodeJS.Timeout>();
  readonly #unsubscribe: () => void;
  readonly #end = Promise.withResolvers<StatusView>();
  #wantsEnd = false;
  #rests = false;
  /** What was said last of the rest; undefined where something was said since. */
  #rest: string | undefined;
  /** As wide as the widest title so far: columns that moved back would not be easier to read. */
  #titleWidth: number;
  #looking = false;
  #again = false;

  constructor(terminal: Terminal, foreground: Told) {
    this.#terminal = terminal;
    this.#foreground = foreground;
    const known = terminal.titles ?? [];
    this.#titleWidth = Math.max(TITLE_WIDTH_MIN, ...known.map(textWidth));
    const over = foreground.first.runs.filter(({ outcome }) => outcome !== null);
    this.#over = new Set(over.map(nameOf));
    this.#unsubscribe = foreground.onChange(() => this.#changed());
    // A caller that does not wait for the end gets the failure from its next command.
    this.#end.promise.catch(() => undefined);
    this.#changed();
  }

  async untilIdle(): Promise<StatusView> {
    this.#wantsEnd = true;
    this.#changed();
    try {
      return await this.#end.promise;
    } finally {
      this.stop();
    }
  }

  stop(): void {
    this.#unsubscribe();
    for (const timer of this.#checks.values()) clearTimeout(timer);
    this.#checks.clear();
  }

  /** One look at a time; a change during a look leads to another one. */
  #changed(): void {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    this.#look()
      .catch((error: unknown) => this.#end.reject(error))
      .finally(() => {
        this.#looking = false;
        if (!this.#again) return;
        this.#again = false;
        this.#changed();
      });
  }

  async #look(): Promise<void> {
    const status = await this.#foreground.status();
    this.#show(status);
    if (!this.#wantsEnd) this.#sayRest(status);
    if (!this.#wantsEnd || !status.idle) return;
    // Nothing moves here; what landed last may have made new work ready.
    await this.#foreground.look();
    const after = await this.#foreground.status();
    this.#show(after);
    if (after.idle) this.#end.resolve(after);
  }

  /** Said once each time the work runs out, so that silence is understood; never twice in a row. */
  #sayRest(status: StatusView): void {
    if (status.idle && !this.#rests) {
      const waiting = status.waits.filter((wait) => wait.needs_you).length;
      const text =
        waiting === 0
          ? 'nothing left to do; `pawl issue add --title "…"` asks for something'
          : `all work waits for you (${waiting} waiting): see \`pawl status\``;
      if (text !== this.#rest) {
        this.#terminal.stderr(`${timeOf(this.#terminal)}  ${paint(this.#terminal, "dim", text)}\n`);
      }
      this.#rest = text;
    }
    this.#rests = status.idle;
  }

  #show(status: StatusView): void {
    const several = status.projects.length > 1;
    const open = status.runs.filter(({ outcome }) => outcome === null);
    this.#titleWidth = Math.max(this.#titleWidth, ...open.map((run) => textWidth(titleOf(run))));
    for (const run of status.runs) {
      const name = nameOf(run);
      const exit = this.#foreground.lastExit(name);
      for (const news of newsOf(this.#before(run), run, exit)) this.#say(run, { news, several });
      this.#known.set(name, run);
      this.#followCheck(run, several);
    }
    this.#showWaits(status);
  }

  /** A run may end during the first look at the projects, before the first line is written. */
  #before(run: RunView): RunView | undefined {
    const name = nameOf(run);
    const known = this.#known.get(name);
    if (known !== undefined || run.outcome === null || this.#over.has(name)) return known;
    return { ...run, outcome: null };
  }

  /** A red target, a paused project: nothing of a run would say why it does not begin. */
  #showWaits({ waits }: StatusView): void {
    const now = new Map(
      waits.flatMap((wait) =>
        wait.needs_you && !isAboutRun(wait) ? [[`${wait.project} ${wait.about}`, wait]] : [],
      ),
    );
    for (const [key, { about, why, command }] of now) {
      if (this.#waits.has(key)) continue;
      // The rest of a long reason is in `pawl status`.
      const [reason] = harmless(waitReason({ why, command }, this.#terminal.now())).split("\n");
      const text = toned(this.#terminal, "bad", `? needs you: ${harmless(about)}: ${reason}`);
      const answer = command === null ? "" : `\n${" ".repeat(10)}${command}`;
      const line = inColumn(this.#terminal, `${timeOf(this.#terminal)}  ${text}`, 12);
      this.#terminal.stderr(`${line}${answer}\n`);
      this.#rest = undefined;
    }
    this.#waits = new Set(now.keys());
  }

  #followCheck(run: RunView, several: boolean): void {
    const name = nameOf(run);
    const timer = this.#checks.get(name);
    if (run.stage !== "checking") {
      clearTimeout(timer);
      this.#checks.delete(name);
    } else if (timer === undefined) {
      const say = (): void => this.#say(run, { news: CI_RUNS, several });
      this.#checks.set(name, setTimeout(say, LONG_CHECK_MS));
    }
  }

  #say(run: RunView, what: { news: News; several: boolean }): void {
    const titleWidth = this.#titleWidth;
    this.#terminal.stderr(`${storyLine(this.#terminal, { ...what, run, titleWidth })}\n`);
    this.#rest = undefined;
  }
}

/** `10:08:31  #4  Count distinct words      ✓ landed as 82f4c7cf1c` */
function storyLine(
  terminal: Terminal,
  told: { run: RunView; news: News; several: boolean; titleWidth: number },
): string {
  const { run, news, several, titleWidth } = told;
  const issue = `${several ? run.project : ""}${shownRef(run)}`.padEnd(several ? 16 : 4);
  const widthMax = Math.min(TITLE_WIDTH_MAX, terminal.columns - 49);
  const width = Math.max(TITLE_WIDTH_MIN, Math.min(widthMax, titleWidth));
  const title = cutToFill(titleOf(run), width);
  const padded = title + " ".repeat(Math.max(0, width - textWidth(title)));
  const text = `${news.mark} ${harmless(news.text).replaceAll(/\s+/g, " ")}`;
  const head = `${timeOf(terminal)}  ${paint(terminal, "bold", issue)} ${padded}`;
  return inColumn(terminal, `${head}  ${toned(terminal, news.tone, text)}`, textWidth(head) + 4);
}

/** What does not fit continues in its column, behind the mark. */
function inColumn(terminal: Terminal, line: string, start: number): string {
  const columns = terminal.stderrColumns();
  return columns - start < TEXT_WIDTH_MIN
    ? line
    : wrapLine(line, columns, { below: " ".repeat(start) });
}

const titleOf = (run: RunView): string => harmless(run.title).replaceAll(/\s+/g, " ");

const nameOf = ({ project, run }: RunView): string => `${project}/${run}`;

const timeOf = (terminal: Terminal): string =>
  paint(terminal, "dim", new Date(terminal.now()).toTimeString().slice(0, 8));

const toned = (terminal: Pick<Deps, "colour">, tone: Tone, text: string): string =>
  tone === "plain" ? text : paint(terminal, STYLES[tone], text);

/** What waits for a person, a line each, with the command that answers it. */
export const needsYou = (status: StatusView, now: number): string[] =>
  status.waits.filter((wait) => wait.needs_you).map((wait) => waitLine(wait, now));

/** A run has lines of its own for what it waits for. */
const isAboutRun = ({ about }: WaitView): boolean => about.startsWith("#");

const waitLine = (wait: WaitView, now: number): string =>
  [`${wait.about}: ${waitReason(wait, now)}`, ...waitCommands(wait).map((one) => `  ${one}`)].join(
    "\n",
  );
