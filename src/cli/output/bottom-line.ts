// A line that stays at the bottom of the terminal while other lines scroll above it. In a pipe it is a
// plain line now and then, where it says something new.
import type { Deps } from "../deps.ts";

const REDRAW_MS = 1_000;
/** In a pipe. */
const REPEAT_MS = 60_000;
/** Clears the line and goes to its first column; a `\r` would be lost where a text is wrapped. */
const CLEAR = "\u001B[2K\u001B[G";

export type BottomLine = {
  /** As `deps.stderr`; what is written scrolls above the line. */
  stderr: (text: string) => void;
  /** For what is written to stdout, which may be the same terminal. */
  above: (write: () => void) => void;
  /** Says what the line is now; it is asked again every second. */
  set(text: (columns: number) => string): void;
  /** Removes the line. */
  stop(): void;
};

type Terminal = Pick<Deps, "stderr" | "stderrColumns" | "now">;

export const bottomLine = (terminal: Terminal): BottomLine =>
  terminal.stderrColumns() > 0 ? inPlace(terminal) : asLines(terminal);

function inPlace({ stderr, stderrColumns }: Terminal): BottomLine {
  let text: ((columns: number) => string) | undefined;
  let isStopped = false;
  let drawn: string | undefined;
  // The last column stays free: some terminals begin a new line after it.
  const draw = (): void => {
    if (text === undefined || isStopped) return;
    const line = text(stderrColumns() - 1);
    if (line !== drawn) stderr(`${CLEAR}${line}`);
    drawn = line;
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    stderr: (written) => {
      stderr(drawn === undefined || isStopped ? written : `${CLEAR}${written}`);
      drawn = undefined;
      draw();
    },
    above: (write) => {
      if (drawn !== undefined && !isStopped) stderr(CLEAR);
      write();
      drawn = undefined;
      draw();
    },
    set: (next) => {
      text = next;
      draw();
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      if (text !== undefined) stderr(CLEAR);
    },
  };
}

function asLines({ stderr, now }: Terminal): BottomLine {
  let said = "";
  let saidAt = now();
  /** What was written last: a sum at the end that says the same is not said again. */
  let last = "";
  return {
    stderr: (text) => {
      if (text !== last) stderr(text);
      last = "";
    },
    above: (write) => write(),
    set: (text) => {
      const line = text(Infinity);
      if (line === said || now() - saidAt < REPEAT_MS) return;
      said = line;
      saidAt = now();
      last = `${line}\n`;
      stderr(last);
    },
    stop: () => undefined,
  };
}
