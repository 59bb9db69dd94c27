// The terminal itself, loaded when one is opened. The daemon sends only harmless output (no titles, no
// clipboard, no questions), so that everything that comes out of it here was typed by a person.
import { Terminal } from "@xterm/xterm";
import { whenIdle } from "../when-idle.ts";

export type Drawn = {
  /** `onParsed` is called when it is on the screen. */
  write(bytes: Uint8Array, onParsed: () => void): void;
  begin(size: { columns: number; rows: number }): void;
  /** Keys go out only then. */
  setTyping(isTyping: boolean): void;
  close(): void;
};

const FONT_MAX_PX = 13;
const FONT_MIN_PX = 9;
/** Of a monospaced font, its width for its height. */
const RATIO = 0.6;
/** Of what is over, the last words; what is above them can be scrolled to. */
const OVER_ROWS = 16;
const SCROLLED_LINES = 2000;
/** As Pawl makes them: a terminal of another size is laid out a second time. */
const USUAL_SIZE = { cols: 200, rows: 50 };
/** Lines for screen readers are laid out one by one, which takes longer than drawing: so long after it. */
const SPOKEN_AFTER_MS = 300;
/** So much in one frame, no person follows: a screen reader gets what is there when it is quieter. */
const LOUD_BYTES = 16_000;
/** Parsed in one go, and well within a frame; between two of them the page draws and hears. */
const PIECE_BYTES = 16_384;

type DrawOptions = {
  label: string;
  /** Its agent writes no more. */
  isOver: boolean;
  onKeys: (text: string) => void;
  onGive: () => void;
};

export function draw(place: HTMLElement, { onKeys, onGive, label, isOver }: DrawOptions): Drawn {
  const terminal = takeSpare(place) ?? makeIn(place);
  if (isOver) terminal.resize(terminal.cols, OVER_ROWS);
  terminal.textarea?.setAttribute("aria-label", label);
  terminal.onData(onKeys);
  leadOut(terminal, onGive);
  const fit = (): void => {
    terminal.options.fontSize = fontFor(place, terminal.cols);
  };
  const speech = speechOf(terminal);
  const watch = new ResizeObserver(fit);
  watch.observe(place);
  /** As it was opened: to reset it would draw all of it twice. */
  let isFresh = true;
  return {
    write: (bytes, onParsed) => {
      if (isFresh || bytes.length > LOUD_BYTES) speech.later();
      isFresh = false;
      writeInPieces(terminal, bytes, onParsed);
    },
    begin: ({ columns, rows }) => {
      if (!isFresh) terminal.reset();
      terminal.resize(columns, isOver ? OVER_ROWS : rows);
      fit();
    },
    setTyping: (isTyping) => {
      terminal.options.disableStdin = !isTyping;
      speech.now();
      if (isTyping) terminal.focus();
      else terminal.blur();
    },
    close: () => {
      speech.stop();
      watch.disconnect();
      terminal.dispose();
      whenIdle(makeSpare);
    },
  };
}

function makeIn(place: HTMLElement): Terminal {
  const style = getComputedStyle(place);
  const terminal = new Terminal({
    ...USUAL_SIZE,
    allowProposedApi: false,
    cursorInactiveStyle: "outline",
    disableStdin: true,
    fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace",
    fontSize: fontFor(place, USUAL_SIZE.cols),
    linkHandler: { activate: (_event, target) => openWeb(target), allowNonHttpProtocols: false },
    scrollback: SCROLLED_LINES,
    theme: { background: style.backgroundColor, foreground: style.color },
  });
  terminal.open(place);
  return terminal;
}

function fontFor(place: HTMLElement, columns: number): number {
  const wide = (place.clientWidth - 24) / (columns * RATIO);
  return Math.max(FONT_MIN_PX, Math.min(FONT_MAX_PX, Math.floor(wide)));
}

/** Making a terminal takes longer than filling it: one is made ahead, unseen, for the next run that is opened. */
let spare: { terminal: Terminal; unseen: HTMLElement } | undefined;

export function makeSpare(): void {
  if (spare !== undefined) return;
  const unseen = document.createElement("div");
  unseen.className = "ahead";
  unseen.inert = true;
  document.body.append(unseen);
  spare = { terminal: makeIn(unseen), unseen };
}

function takeSpare(place: HTMLElement): Terminal | undefined {
  if (spare === undefined) return undefined;
  const { terminal, unseen } = spare;
  spare = undefined;
  place.append(...unseen.childNodes);
  unseen.remove();
  return terminal;
}

function leadOut(terminal: Terminal, onGive: () => void): void {
  terminal.attachCustomKeyEventHandler(({ ctrlKey, altKey, code, type }) => {
    // Tab leads on while the keyboard is not taken; this leads out while it is.
    if (terminal.options.disableStdin === true) return false;
    // The place of the key: with Alt, some keyboards write another character there.
    if (!ctrlKey || !altKey || code !== "KeyK") return true;
    if (type === "keydown") onGive();
    return false;
  });
}

function writeInPieces(terminal: Terminal, bytes: Uint8Array, onParsed: () => void): void {
  let at = 0;
  for (; bytes.length - at > PIECE_BYTES; at += PIECE_BYTES) {
    terminal.write(bytes.subarray(at, at + PIECE_BYTES));
  }
  terminal.write(bytes.subarray(at), onParsed);
}

/** The lines for screen readers: there while no person types, because they swallow what a phone inserts. */
function speechOf({ options }: Terminal) {
  const now = (): void => {
    options.screenReaderMode = options.disableStdin === true;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const later = (): void => {
    stop();
    options.screenReaderMode = false;
    timer = setTimeout(now, SPOKEN_AFTER_MS);
  };
  return { now, later, stop };
}

/** Words of a model: the page is never handed to where they lead. */
function openWeb(target: string): void {
  if (/^https?:\/\//i.test(target)) window.open(target, "_blank", "noopener,noreferrer");
}
