// What a life has used, read off Claude Code's own transcripts. A message is counted once, however
// many lines it has; what agents of the agent used is kept apart. Nothing else in there is read.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tokens, UsageRow } from "../../core/usage.ts";
import { tokensOf } from "../../core/usage.ts";
import { isObject } from "../../lib/json-object.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { conversationIn, transcriptOf } from "./conversation.ts";
import { readOn, type Bookmark } from "./read-on.ts";
import { numberIn, objectIn, parsePayload, textIn, type Payload } from "./payload.ts";

export type UsageRequest = {
  dir: string;
  env: Record<string, string>;
  /** A resumed conversation has earlier lives' turns in it: those do not count again. */
  since: number;
};

/** What is known of one transcript: how far it was read, and what its messages used. */
type Book = { bookmark: Bookmark | undefined; messages: Map<string, Used> };

/** Books of lives that ended long ago give way. */
const COST_MAX_BYTES = 1024;
const BOOKS_MAX = 200;

export type UsageReader = (request: UsageRequest) => Promise<UsageRow[]>;

/** Remembers what it has read: a long transcript is read once, and then what is new in it. */
export function createUsageReader(): UsageReader {
  const books = new Map<string, Book>();
  return async ({ dir, env, since }) => {
    const id = await conversationIn(dir);
    const path = id === undefined ? undefined : await transcriptOf(id, env);
    if (path === undefined) return [];
    const folder = join(dirname(path), id ?? "", "subagents");
    const paths = [path, ...globSync("*.jsonl", { cwd: folder }).map((name) => join(folder, name))];
    const all = new Map<string, Used>();
    for (const one of paths) {
      const book = await readBook(one, { since, known: books.get(`${dir} ${one}`) });
      keep(books, `${dir} ${one}`, book);
      for (const used of book.messages.values()) all.set(used.id, used);
    }
    return rowsOf([...all.values()], await costOf(dir));
  };
}

/** The last line of a message has its final count. */
async function readBook(
  path: string,
  { since, known }: { since: number; known: Book | undefined },
): Promise<Book> {
  const { bookmark, lines, again } = await readOn(path, known?.bookmark);
  const messages = again || known === undefined ? new Map<string, Used>() : known.messages;
  for (const line of lines) {
    const used = usedIn(line, since);
    if (used !== undefined) messages.set(used.id, used);
  }
  return { bookmark, messages };
}

function keep(books: Map<string, Book>, key: string, book: Book): void {
  books.delete(key);
  books.set(key, book);
  const [oldest] = books.keys();
  if (books.size > BOOKS_MAX && oldest !== undefined) books.delete(oldest);
}

type Used = Tokens & { id: string; day: string; model: string; sidechain: boolean };

function usedIn(line: string, since: number): Used | undefined {
  if (!line.includes('"assistant"')) return undefined;
  const entry = parsePayload(line);
  return entry === undefined ? undefined : usedBy(entry, since);
}

function usedBy(entry: Payload, since: number): Used | undefined {
  const message = entry["message"];
  const stamp = textIn(entry, "timestamp") ?? "";
  if (textIn(entry, "type") !== "assistant" || !isObject(message)) return undefined;
  const id = textIn(message, "id");
  if (id === undefined || !(Date.parse(stamp) >= since)) return undefined;
  const usage = objectIn(message, "usage");
  return {
    id,
    day: stamp.slice(0, 10),
    model: textIn(message, "model") ?? "unknown",
    sidechain: entry["isSidechain"] === true,
    input: numberIn(usage, "input_tokens") ?? 0,
    output: numberIn(usage, "output_tokens") ?? 0,
    cacheRead: numberIn(usage, "cache_read_input_tokens") ?? 0,
    cacheWrite: numberIn(usage, "cache_creation_input_tokens") ?? 0,
  };
}

/** Only the sum is known in money: it is shared out by tokens. */
function rowsOf(messages: Used[], costUsd: number): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  const all = messages.reduce((sum, one) => sum + tokensOf(one), 0);
  for (const { id: _, ...used } of messages) {
    const key = `${used.day} ${used.model} ${used.sidechain}`;
    const share = all === 0 ? 0 : (costUsd * tokensOf(used)) / all;
    const before = rows.get(key);
    rows.set(key, before === undefined ? { ...used, costUsd: share } : added(before, used, share));
  }
  // A model that no tokens were spent on (an error told as a message) is not worth a row.
  return [...rows.values()].filter((row) => tokensOf(row) > 0);
}

const added = (row: UsageRow, used: Tokens, share: number): UsageRow => ({
  ...row,
  input: row.input + used.input,
  output: row.output + used.output,
  cacheRead: row.cacheRead + used.cacheRead,
  cacheWrite: row.cacheWrite + used.cacheWrite,
  costUsd: row.costUsd + share,
});

/** The statusline keeps it beside the life (claude-hook.sh). */
async function costOf(dir: string): Promise<number> {
  const cost = Number((await readUntrusted(join(dir, "cost"), COST_MAX_BYTES))?.trim());
  return Number.isFinite(cost) && cost >= 0 ? cost : 0;
}
