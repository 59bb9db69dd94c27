// The agent's own screen in the pane, as a second client of the server that the host speaks to. It
// inherits the terminal, so a person who attaches sees and types what they always do. The work does
// not depend on it.
//
// Always there: a screen that is closed is opened again, and one that never stays open is given up,
// after which the pane shows the host's own transcript. On demand (of a program whose screen needs
// much memory): the pane shows the transcript until a person asks, and again when they have closed it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";

export type ScreenRequest = {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
};

const SHORT_LIFE_MS = 5_000;
const SHORT_LIVES_MAX = 3;

/** No alternate screen, no mouse, no bracketed paste, and a cursor. */
const PLAIN_MODES = [
  "\u001B[?1049l",
  "\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l",
  "\u001B[?2004l",
  "\u001B[?25h",
].join("");

export class OwnScreen {
  readonly isOnDemand: boolean;
  #request: ScreenRequest | undefined;
  #child: ChildProcess | undefined;
  #isWanted: boolean;
  #shortLives = 0;
  #isClosed = false;
  #onChange = (): void => {};

  constructor(when: "always" | "on demand") {
    this.isOnDemand = when === "on demand";
    this.#isWanted = !this.isOnDemand;
  }

  /** While true, nothing else may be written to the terminal or read from it. */
  get isShown(): boolean {
    return this.#child !== undefined;
  }

  /** `listener` is called whenever `isShown` has changed, before the screen can read a key. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** From now on there is something to show. */
  ready(request: ScreenRequest): void {
    this.#request = request;
    this.#show();
  }

  /** A person asks for it; before it is ready, it is shown then. */
  want(): void {
    this.#isWanted = true;
    this.#show();
  }

  close(): void {
    this.#isClosed = true;
    // It need not restore the terminal: the pane ends.
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #show(): void {
    if (this.#isClosed || !this.#isWanted || this.isShown || this.#request === undefined) return;
    const { argv, env, cwd } = this.#request;
    const [program = "", ...words] = argv;
    const startedAt = performance.now();
    const child = spawn(program, words, { cwd, env, stdio: "inherit" });
    this.#child = child;
    this.#onChange();
    const ended = (_: unknown, signal?: NodeJS.Signals | null): void => {
      if (this.#child !== child) return;
      if (typeof signal === "string") resetTerminal();
      this.#child = undefined;
      this.#shortLives = performance.now() - startedAt < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
      if (this.isOnDemand) this.#isWanted = false;
      this.#onChange();
      if (this.#shortLives < SHORT_LIVES_MAX) this.#show();
    };
    child.once("exit", ended);
    child.once("error", ended);
  }
}

/** A screen that was killed leaves the terminal as it had set it, and nothing could be typed by lines. */
function resetTerminal(): void {
  process.stdout.write(PLAIN_MODES);
  spawnSync("stty", ["sane"], { stdio: ["inherit", "ignore", "ignore"] });
}
