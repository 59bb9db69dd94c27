// What a terminal showed, from the log of its bytes: they are drawn again by a terminal emulator of
// the same size, so that spaces, text that scrolled away and the last version of every line are kept
// and spinners are not. Of a large log only the end is drawn (log-end.ts): a second or two at most.
import type * as Headless from "@xterm/headless";
import type { TerminalSize } from "../../ports/terminal.ts";
import { readLogEnd } from "./log-end.ts";
import { ScreenHistory } from "./screen-history.ts";

const LINES_MAX = 20_000;
/** Every picture costs a look at the whole screen. */
const PARTS_MAX = 2_000;
const PART_MIN_BYTES = 200;
const ESCAPE = 0x1b;
const SEQUENCE_MAX_BYTES = 12;
/* oxlint-disable no-control-regex */
const LEAVES = /^\u001b\[\?1049l/;
const HOME = /^\u001b\[[0-9;]*H/;
/* oxlint-enable no-control-regex */

export type TerminalLogRequest = {
  logFile: string;
  maxBytes: number;
  size: TerminalSize;
};

export async function terminalLog(request: TerminalLogRequest): Promise<string> {
  const end = await readLogEnd(request.logFile, request.maxBytes);
  if (end === undefined) return "";
  return lastLines(await draw(end, request.size), request.maxBytes);
}

export async function draw(bytes: Buffer, size: TerminalSize): Promise<string[]> {
  const Terminal = await loadTerminal();
  const terminal = new Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: LINES_MAX,
    allowProposedApi: true,
  });
  const stays: Stay[] = [];
  const look = (): void => lookAtScreen(terminal.buffer, stays);
  try {
    for (const part of partsOf(bytes)) terminal.write(part, look);
    await new Promise<void>((resolve) => terminal.write("", resolve));
    return trimmed(inOrder(linesOf(terminal.buffer.normal), stays));
  } finally {
    terminal.dispose();
  }
}

/** A time that a program spent on the alternate screen, and after which line it began. */
type Stay = { after: number; history: ScreenHistory; isOver: boolean };

function lookAtScreen({ active, normal }: Headless.IBufferNamespace, stays: Stay[]): void {
  const last = stays.at(-1);
  if (active.type === "normal") {
    if (last !== undefined) last.isOver = true;
    return;
  }
  const picture = linesOf(active).map((line) => line.trimEnd());
  if (last !== undefined && !last.isOver) last.history.look(picture);
  else {
    const after = normal.baseY + normal.cursorY;
    const history = new ScreenHistory(LINES_MAX);
    history.look(picture);
    stays.push({ after, history, isOver: false });
  }
}

function inOrder(normal: string[], stays: Stay[]): string[] {
  let from = 0;
  const lines: string[] = [];
  for (const { after, history } of stays) {
    lines.push(...normal.slice(from, after), ...history.lines());
    from = Math.max(from, after);
  }
  return [...lines, ...normal.slice(from)];
}

/** Pictures are taken where a program begins to draw, and before it leaves the alternate screen. */
function partsOf(bytes: Buffer): Buffer[] {
  const partMin = Math.max(PART_MIN_BYTES, bytes.length / PARTS_MAX);
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(ESCAPE); at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) {
    const sequence = bytes.toString("latin1", at, at + SEQUENCE_MAX_BYTES);
    const isBorder = LEAVES.test(sequence) || (at - start >= partMin && HOME.test(sequence));
    if (!isBorder || at === start) continue;
    parts.push(bytes.subarray(start, at));
    start = at;
  }
  return [...parts, bytes.subarray(start)];
}

/** Loaded when a log is first asked for: the daemon starts without it. */
async function loadTerminal(): Promise<typeof Headless.Terminal> {
  const loaded = (await import("@xterm/headless")) as typeof Headless & {
    default?: typeof Headless;
  };
  // CommonJS: Node gives it as the default export.
  return (loaded.default ?? loaded).Terminal;
}

/** A line that the terminal broke at its edge is one line. */
function linesOf(buffer: Headless.IBuffer): string[] {
  const lines: string[] = [];
  for (let row = 0; row < buffer.length; row += 1) {
    const line = buffer.getLine(row);
    if (line === undefined) continue;
    const goesOn = buffer.getLine(row + 1)?.isWrapped === true;
    const text = line.translateToString(!goesOn);
    if (line.isWrapped && lines.length > 0) lines.push(`${lines.pop()}${text}`);
    else lines.push(text);
  }
  return lines;
}

/** Without blank lines at the ends, and never more than one of them in a row. */
function trimmed(lines: string[]): string[] {
  const kept = lines
    .map((line) => line.trimEnd())
    .filter((line, index, all) => line !== "" || all[index - 1]?.trim() !== "");
  const first = kept.findIndex((line) => line !== "");
  const last = kept.findLastIndex((line) => line !== "");
  return first < 0 ? [] : kept.slice(first, last + 1);
}

function lastLines(lines: string[], maxBytes: number): string {
  let bytes = 0;
  const start = lines.findLastIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > maxBytes + 1;
  });
  return lines.slice(start + 1).join("\n");
}
