// What the pane shows of an agent that has no screen of its own: what is said to it, what it says,
// which tools it uses. Control characters of others are not passed on to the terminal.
import { oneLine } from "../../../lib/one-line.ts";
import type { DriverEvent, TurnEnd } from "./driver.ts";

const TITLE_MAX = 160;
const PROMPT_LINES_MAX = 12;

export class Transcript {
  readonly #write: (text: string) => void;
  #midLine = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** A line of the host's own. */
  note(text: string): void {
    this.#line(`· ${text}`);
  }

  prompt(from: string, text: string): void {
    const lines = clean(text).trimEnd().split("\n");
    const shown = lines.slice(0, PROMPT_LINES_MAX);
    const more = lines.length - shown.length;
    this.#line("");
    this.#line(`▌ ${from}`);
    for (const line of shown) this.#line(`▌ ${line}`);
    if (more > 0) this.#line(`▌ … ${more} more lines`);
  }

  /** A turn that ended as usual needs no note. */
  turnEnded(end: TurnEnd): void {
    if (end.kind !== "ended") this.note(endText(end));
  }

  event(event: DriverEvent): void {
    switch (event.kind) {
      case "text":
        this.#text(event.text);
        break;
      case "tool":
        if (event.status === "begun") this.#line(`⏺ ${short(event.title)}`);
        if (event.status === "failed") this.#line(`✗ ${short(event.title)}`);
        break;
      case "plan":
        for (const entry of event.entries) this.#line(`  - ${short(entry)}`);
        break;
      case "question":
        this.#line(`? ${short(event.text)}`);
        for (const [index, choice] of event.choices.entries()) {
          this.#line(`  ${index + 1}. ${short(choice)}`);
        }
        this.#line("  (type the number of a choice, or answer with `pawl escalation answer`)");
        break;
      case "warning":
        this.#line(`! ${short(event.text)}`);
        break;
      default:
    }
  }

  #text(text: string): void {
    const shown = clean(text);
    if (shown === "") return;
    this.#write(shown.replaceAll("\n", "\r\n"));
    this.#midLine = !shown.endsWith("\n");
  }

  #line(text: string): void {
    if (this.#midLine) this.#write("\r\n");
    this.#midLine = false;
    this.#write(`${text}\r\n`);
  }
}

function endText(end: TurnEnd): string {
  switch (end.kind) {
    case "limited":
      return `waiting: ${end.reason}`;
    case "failed":
      return `the turn failed: ${end.reason}`;
    case "refused":
      return `the agent did not take the prompt: ${end.reason}`;
    default:
      return `the turn was ${end.kind}`;
  }
}

const short = (text: string): string => oneLine(clean(text)).slice(0, TITLE_MAX);

/** Tabs and line ends stay. */
const clean = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replaceAll(/\r\n?/g, "\n").replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
