// The live view: one line for everything a person cares for, as a story that can be read afterwards
// too. What is worth a line is decided in story-lines.ts.
import type { RunView, StatusView, WaitView } from "../../api/runs.ts";
import { cutToWidth, textWidth } from "../../lib/text-width.ts";
import type { Foreground } from "../daemon-main.ts";
import type { Deps } from "../deps.ts";
import { CI_RUNS, newsOf, type News, type Tone } from "./story-lines.ts";
import { harmless, paint } from "./text.ts";
import { shownRef } from "./shown-ref.ts";

/** A check that takes longer than this is worth a line of its own. */
const LONG_CHECK_MS = 5_000;
const TITLE_WIDTH_MAX = 40;
const STYLES = {
  plain: "white",
  good: "green",
  warning: "yellow",
  bad: "red",
  dim: "dim",
} as const;

type Terminal = Pick<Deps, "stderr" | "now" | "colour" | "columns">;

export type Story = {
  /** Resolves when nothing moves any more; the status is the last one. */
  untilIdle(): Promise<StatusView>;
  stop(): void;
};

export const createStory = (
  terminal: Terminal,
  foreground: Pick<Foreground, "status" | "onChange" | "look">,
): Story => new Storyteller(terminal, foreground);

class Storyteller implements Story {
  readonly #terminal: Terminal;
  readonly #foreground: Pick<Foreground, "status" | "onChange" | "look">;
  readonly #known = new Map<string, RunView>();
  /** What waits for a person, and was said. */
  #waits = new Set<string>();
  readonly #checks = new Map<string, NodeJS.Timeout>();
  readonly #unsubscribe: () => void;
  readonly #end = Promise.withResolvers<StatusView>();
  #wantsEnd = false;
  #rests = false;
  #looking = false;
  #again = false;

  constructor(terminal: Terminal, foreground: Pick<Foreground, "status" | "onChange" | "look">) {
    this.#terminal = terminal;
    this.#foreground = foreground;
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

  /** Said once each time the work runs out, so that silence is understood. */
  #sayRest(status: StatusView): void {
    if (status.idle && !this.#rests) {
      const waiting = needsYou(status).length;
      const text =
        waiting === 0
          ? 'nothing left to do; `pawl issue add --title "…"` asks for something'
          : `all work waits for you (${waiting} waiting): see \`pawl status\``;
      this.#terminal.stderr(`${timeOf(this.#terminal)}  ${paint(this.#terminal, "dim", text)}\n`);
    }
    this.#rests = status.idle;
  }

  #show(status: StatusView): void {
    const several = status.projects.length > 1;
    for (const run of status.runs) {
      for (const news of newsOf(this.#known.get(run.run), run)) this.#say(run, { news, several });
      this.#known.set(run.run, run);
      this.#followCheck(run, several);
    }
    this.#showWaits(status);
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
      const [reason] = harmless(why).split("\n");
      const text = toned(this.#terminal, "bad", `? needs you: ${harmless(about)}: ${reason}`);
      const answer = command === null ? "" : `\n${" ".repeat(10)}${command}`;
      this.#terminal.stderr(`${timeOf(this.#terminal)}  ${text}${answer}\n`);
    }
    this.#waits = new Set(now.keys());
  }

  #followCheck(run: RunView, several: boolean): void {
    const timer = this.#checks.get(run.run);
    if (run.stage !== "checking") {
      clearTimeout(timer);
      this.#checks.delete(run.run);
    } else if (timer === undefined) {
      const say = (): void => this.#say(run, { news: CI_RUNS, several });
      this.#checks.set(run.run, setTimeout(say, LONG_CHECK_MS));
    }
  }

  #say(run: RunView, what: { news: News; several: boolean }): void {
    this.#terminal.stderr(`${storyLine(this.#terminal, { ...what, run })}\n`);
  }
}

/** `10:08:31  #4  Count distinct words      ✓ landed as 82f4c7cf1c` */
function storyLine(
  terminal: Terminal,
  told: { run: RunView; news: News; several: boolean },
): string {
  const { run, news, several } = told;
  const issue = `${several ? run.project : ""}${shownRef(run)}`.padEnd(several ? 16 : 4);
  const width = Math.max(16, Math.min(TITLE_WIDTH_MAX, terminal.columns - 48));
  const title = cutToWidth(harmless(run.title).replaceAll(/\s+/g, " "), width);
  const padded = title + " ".repeat(Math.max(0, width - textWidth(title)));
  const text = `${news.mark} ${harmless(news.text).replaceAll(/\s+/g, " ")}`;
  const head = `${timeOf(terminal)}  ${paint(terminal, "bold", issue)} ${padded}`;
  return `${head}  ${toned(terminal, news.tone, text)}`;
}

const timeOf = (terminal: Terminal): string =>
  paint(terminal, "dim", new Date(terminal.now()).toTimeString().slice(0, 8));

const toned = (terminal: Pick<Deps, "colour">, tone: Tone, text: string): string =>
  tone === "plain" ? text : paint(terminal, STYLES[tone], text);

/** What waits for a person, a line each, with the command that answers it. */
export const needsYou = (status: StatusView): string[] =>
  status.waits.filter((wait) => wait.needs_you).map(waitLine);

/** A run has lines of its own for what it waits for. */
const isAboutRun = ({ about }: WaitView): boolean => about.startsWith("#");

const waitLine = ({ about, why, command }: WaitView): string =>
  `${about}: ${why}${command === null ? "" : `\n  ${command}`}`;
