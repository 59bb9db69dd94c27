// The agent's own screen in the pane, as a second client of the server that the host speaks to. It
// inherits the terminal, so a person who attaches sees and types what he always does. The work does
// not depend on it: a screen that is closed is opened again, and one that never stays open is given
// up, after which the pane shows the host's own transcript.
import { spawn, type ChildProcess } from "node:child_process";

export type ScreenRequest = {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
};

const SHORT_LIFE_MS = 5_000;
const SHORT_LIVES_MAX = 3;

export class OwnScreen {
  readonly #request: ScreenRequest;
  #child: ChildProcess | undefined;
  #shortLives = 0;
  #isClosed = false;

  constructor(request: ScreenRequest) {
    this.#request = request;
  }

  /** While true, nothing else may be written to the terminal. */
  get isShown(): boolean {
    return this.#child !== undefined;
  }

  show(): void {
    if (this.#isClosed || this.#child !== undefined) return;
    const { argv, env, cwd } = this.#request;
    const [program = "", ...words] = argv;
    const startedAt = Date.now();
    const child = spawn(program, words, { cwd, env, stdio: "inherit" });
    this.#child = child;
    const ended = (): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#shortLives = Date.now() - startedAt < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
      if (this.#shortLives < SHORT_LIVES_MAX) this.show();
    };
    child.once("exit", ended);
    child.once("error", ended);
  }

  close(): void {
    this.#isClosed = true;
    // What it would still draw is of no use to anyone: the pane ends.
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}
