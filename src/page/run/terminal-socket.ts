// The WebSocket of a terminal: connects with a ticket, connects again after a break, and draws at most
// once per frame, so that a terminal that shows a lot leaves the page quick.
import type { FromBrowser, TicketView, ToBrowser } from "../../api/terminal.ts";
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

export type TerminalSocket = { say(message: FromBrowser): void; close(): void };

type About = { project: string; ref: string };

/** Asked for while the terminal is still being loaded: it is needed a moment later. */
export const firstTicket = (about: About): Promise<TicketView | undefined> =>
  // Where it fails, the next one says why.
  askTicket(about).catch(() => undefined);

const askTicket = (about: About): Promise<TicketView> => post<TicketView>("/ticket", about);

export function connect(
  about: About,
  { first, ...told }: Told & { first: Promise<TicketView | undefined> },
): TerminalSocket {
  let socket: WebSocket | undefined;
  let retryMs = RETRY_MIN_MS;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ticket: Promise<TicketView | undefined> | undefined = first;
  const say = (message: FromBrowser): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const output = drawPerFrame((bytes) =>
    told.onOutput(bytes, () => say({ kind: "parsed", bytes: bytes.length })),
  );
  const lost = (): void => {
    if (isClosed) return;
    told.onLost();
    timer = setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
  const open = (): void => {
    const given = ticket;
    ticket = undefined;
    openSocket(about, given).then((opened) => {
      if (isClosed) opened.close();
      socket = opened;
      opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
        retryMs = RETRY_MIN_MS;
        if (typeof data !== "string") output.add(new Uint8Array(data));
        else {
          const message = JSON.parse(data) as ToBrowser;
          // What came before belongs to the old screen.
          if (message.kind === "screen") output.flush();
          told.onMessage(message);
        }
      };
      opened.onclose = lost;
    }, lost);
  };
  open();
  return {
    say,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

async function openSocket(
  about: About,
  given: Promise<TicketView | undefined> | undefined,
): Promise<WebSocket> {
  const { ticket } = (await given) ?? (await askTicket(about));
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

/** All that came since the last frame at once; a hidden page draws when it is shown again. */
function drawPerFrame(write: (bytes: Uint8Array) => void) {
  let pieces: Uint8Array[] = [];
  let isAsked = false;
  const flush = (): void => {
    isAsked = false;
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
  return {
    flush,
    add: (bytes: Uint8Array): void => {
      pieces.push(bytes);
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(flush);
    },
  };
}
