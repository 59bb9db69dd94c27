// A terminal that remembers: what every line showed, from when to when, and how far it had scrolled.
import xterm from "@xterm/headless";

export type Span = { column: number; text: string; style: string };
/** What a line showed from one moment to the next; without an end it stays. */
export type Version = { spans: Span[]; fromMs: number; toMs: number | undefined };
/** All versions of one line, which is counted from the first line of the recording. */
export type Line = Version[];
export type Scroll = { atMs: number; top: number };
export type Recording = {
  size: Size;
  ms: number;
  lines: Line[];
  scrolls: Scroll[];
};
type Size = { columns: number; rows: number };

const SCROLLBACK_MAX = 2_000;
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

export function createScreen(size: Size, pauseMaxMs: number) {
  const { columns: cols, rows } = size;
  const terminal = new xterm.Terminal({
    cols,
    rows,
    scrollback: SCROLLBACK_MAX,
    allowProposedApi: true,
  });
  const lines: Line[] = [];
  const scrolls: Scroll[] = [{ atMs: 0, top: 0 }];
  let last: number | undefined;
  let ms = 0;

  function look(): void {
    const { baseY } = terminal.buffer.active;
    if (scrolls.at(-1)?.top !== baseY) scrolls.push({ atMs: ms, top: baseY });
    for (let index = 0; index < baseY + rows; index += 1) lookAt(index);
  }

  function lookAt(index: number): void {
    const spans = spansOf(terminal, index);
    const line = (lines[index] ??= []);
    const current = line.at(-1);
    if (JSON.stringify(current?.spans ?? []) === JSON.stringify(spans)) return;
    if (current !== undefined) current.toMs = ms;
    line.push({ spans, fromMs: ms, toMs: undefined });
  }

  return {
    async write(text: string, now: number): Promise<void> {
      ms += Math.round(Math.min(now - (last ?? now), pauseMaxMs));
      last = now;
      await new Promise<void>((resolve) => terminal.write(text, resolve));
      look();
    },
    end: (): Recording => ({ size, ms, lines, scrolls }),
  };
}

/** Runs of cells that look the same; blanks between them are left out. */
function spansOf(terminal: xterm.Terminal, index: number): Span[] {
  const line = terminal.buffer.active.getLine(index);
  const spans: Span[] = [];
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const text = cell.getChars() || " ";
    const previous = spans.at(-1);
    if (previous?.style === style) previous.text += text;
    else spans.push({ column, text, style });
  }
  return spans
    .map((span) => ({ ...span, text: span.text.trimEnd() }))
    .filter(({ text }) => text !== "");
}

function styleOf(cell: xterm.IBufferCell): string {
  const colour = cell.isFgPalette() ? (COLOURS[cell.getFgColor() % 8] ?? "") : "";
  const names = [colour, cell.isBold() ? "bold" : "", cell.isDim() ? "dim" : ""];
  return names.filter((name) => name !== "").join(" ");
}
