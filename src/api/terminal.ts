// A terminal in a browser: what is said over its WebSocket. Output comes as bytes, everything else as
// JSON.
import { z } from "zod";

/** What a browser asks to get a ticket for one WebSocket. */
export const ticketSchema = z.strictObject({
  project: z.string().min(1).max(200),
  ref: z.string().min(1).max(200),
});

/** `screen`: what the terminal shows as the ticket is given, so that it is drawn before its WebSocket is open. */
export type TicketView = { ticket: string; screen: ScreenView | null };
export type ScreenView = { columns: number; rows: number; live: boolean; text: string };

export const TERMINAL_PATH = "/terminal";
/** The ticket is offered as a second protocol: an address would stay in histories and logs. */
export const TERMINAL_PROTOCOL = "pawl-terminal";
export const TICKET_PREFIX = "pawl-ticket.";

/** A browser that has not parsed this much yet is sent no more. */
export const UNPARSED_MAX_BYTES = 128 * 1024;
/** And is sent more again once it is down to this. */
export const UNPARSED_LOW_BYTES = 16 * 1024;

export const KEYS_MAX_CHARS = 16_000;

export const fromBrowserSchema = z.discriminatedUnion("kind", [
  /** So many bytes of the output are drawn. */
  z.strictObject({ kind: z.literal("parsed"), bytes: z.number().int().positive() }),
  /** The keyboard, which holds the run. */
  z.strictObject({ kind: z.literal("take") }),
  z.strictObject({ kind: z.literal("give") }),
  z.strictObject({ kind: z.literal("keys"), text: z.string().min(1).max(KEYS_MAX_CHARS) }),
]);

export type FromBrowser = z.infer<typeof fromBrowserSchema>;

export type ToBrowser =
  /** What follows is the whole screen: what was shown before goes. */
  | { kind: "screen"; columns: number; rows: number; live: boolean }
  /** `holder`: who holds the run. `may`: this browser was paired for terminals. */
  | { kind: "keyboard"; yours: boolean; holder: string | null; may: boolean }
  | { kind: "refused"; why: string };
