// The WebSocket of a terminal: connects with a ticket, connects again after a break, and draws at most
// once per frame, so that a terminal that shows a lot leaves the page quick. It connects before there is
// anything to draw on: what comes meanwhile waits.
import type { FromBrowser, ScreenView, TicketView, ToBrowser } from "../../api/terminal.ts";
import { post } from "../api.ts";

/** As the daemon knows them: `api/terminal.ts`. */
const TERMINAL_PATH = "/terminal";
const TERMINAL_PROTOCOL = "pawl-terminal";
const TICKET_PREFIX = "pawl-ticket.";
/** At most six bytes each, and well below what one message may have. */
const KEYS_AT_ONCE = 8000;
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 5000;

type Told = {
  onMessage: (message: ToBrowser) => void;
  onOutput: (bytes: Uint8Array, onParsed: () => void) => void;
  onLost: () => void;
};

export type TerminalSocket = {
  /** What came so far, and all that comes. */
  tell(told: Told): void;
  say(message: FromBrowser): void;
  close(): void;
};

type About = { project: string; ref: string };

export function connect(about: About): TerminalSocket {
  let socket: WebSocket | undefined;
  let retryMs = RETRY_MIN_MS;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { tell, begin: tellTo } = createTelling();
  const say = (message: FromBrowser): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const output = drawPerFrame((bytes) =>
    tell(({ onOutput }) => onOutput(bytes, () => say({ kind: "parsed", bytes: bytes.length }))),
  );
  const lost = (): void => {
    if (isClosed) return;
    tell(({ onLost }) => onLost());
    timer = setTimeout(begin, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
  const take = ({ data }: MessageEvent<string | ArrayBuffer>): void => {
    retryMs = RETRY_MIN_MS;
    if (typeof data !== "string") {
      output.add(new Uint8Array(data));
      return;
    }
    const message = JSON.parse(data) as ToBrowser;
    // What came before belongs to the old screen.
    if (message.kind === "screen") output.flush();
    tell(({ onMessage }) => onMessage(message));
  };
  /** Shown before the socket is open, which then brings only what has changed since. */
  const show = ({ text, ...size }: ScreenView): void =>
    tell(({ onMessage, onOutput }) => {
      onMessage({ kind: "screen", ...size });
      onOutput(new TextEncoder().encode(text), () => undefined);
    });
  const open = async (): Promise<void> => {
    const { ticket, screen } = await post<TicketView>("/ticket", about);
    if (isClosed) return;
    if (screen !== null) show(screen);
    socket = openSocket(ticket);
    socket.onmessage = take;
    socket.onclose = lost;
  };
  const begin = (): void => {
    open().catch(lost);
  };
  begin();
  return {
    say,
    tell: tellTo,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

/** Keeps what is told before a listener is there, and tells it then. */
function createTelling() {
  let told: Told | undefined;
  const waiting: ((told: Told) => void)[] = [];
  return {
    tell: (call: (told: Told) => void): void => {
      if (told === undefined) waiting.push(call);
      else call(told);
    },
    begin: (to: Told): void => {
      told = to;
      for (const call of waiting.splice(0)) call(to);
    },
  };
}

function openSocket(ticket: string): WebSocket {
  const url = new URL(TERMINAL_PATH, location.href.replace(/^http/, "ws"));
  const socket = new WebSocket(url, [TERMINAL_PROTOCOL, `${TICKET_PREFIX}${ticket}`]);
  socket.binaryType = "arraybuffer";
  return socket;
}

/** What a person pastes may be long. A character of two halves stays whole. */
export function inPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + KEYS_AT_ONCE;
    const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    pieces.push(text.slice(at, isHalf ? end - 1 : end));
    at = isHalf ? end - 1 : end;
  }
  return pieces;
}

/**
 * The first piece of a frame is written at once; what follows in the same frame is written together, with
 * the next frame. A hidden page draws when it is shown again.
 */
function drawPerFrame(write: (bytes: Uint8Array) => void) {
  let pieces: Uint8Array[] = [];
  let isDrawing = false;
  const flush = (): void => {
    if (pieces.length === 0) return;
    const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    pieces = [];
    write(all);
  };
  const nextFrame = (): void => {
    isDrawing = pieces.length > 0;
    if (isDrawing) requestAnimationFrame(nextFrame);
    flush();
  };
  return {
    flush,
    add: (bytes: Uint8Array): void => {
      pieces.push(bytes);
      if (isDrawing) return;
      isDrawing = true;
      flush();
      requestAnimationFrame(nextFrame);
    },
  };
}
