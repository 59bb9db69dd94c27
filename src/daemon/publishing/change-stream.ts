// The change feed as text: server-sent events (https://html.spec.whatwg.org/#server-sent-events).
//
//   begin   where the stream begins, for a follower that named no number
//   change  one commit: its number (`id`) and the aggregates that changed
//   reset   the number to resume after is not kept: read everything again, the stream goes on from here
//   log     the followed terminal has shown more
//   views   instead of `change`, for a follower that draws: what it shows of some commits
//
// One event is made when the reader takes the one before: nothing is queued for a slow follower.
import type { StoredChange, StoreReader } from "../../ports/store.ts";
import type { ChangeFeed } from "./change-feed.ts";

const CHANGES_AT_ONCE = 100;

type Journal = Pick<StoreReader, "changes" | "changesKept">;

/** Calls when there is more to see than a commit tells of; gives the way to stop. */
export type WatchMore = (call: () => void) => () => void;

export type StreamOptions = {
  store: Journal;
  feed: ChangeFeed;
  /** The last number that the follower knows; undefined: it wants what comes from now on. */
  after: number | undefined;
  watchMore?: WatchMore | undefined;
  /** As JSON, what the follower draws of these commits; without it, it is told what changed. */
  viewsOf?: ((changes: readonly StoredChange[]) => Promise<string>) | undefined;
};

export function changeStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = new ChangeEvents(options);
  return new ReadableStream({
    pull: async (controller) => {
      const text = await events.next();
      if (text === undefined) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
    cancel: () => events.close(),
  });
}

export class ChangeEvents {
  readonly #store: Journal;
  readonly #feed: ChangeFeed;
  readonly #after: number | undefined;
  readonly #viewsOf: StreamOptions["viewsOf"];
  readonly #gone = new AbortController();
  readonly #stopWatching: (() => void) | undefined;
  /** The last number that was sent; undefined before the beginning. */
  #position: number | undefined;
  #hasMore = false;

  constructor({ store, feed, after, watchMore, viewsOf }: StreamOptions) {
    this.#store = store;
    this.#feed = feed;
    this.#after = after;
    this.#viewsOf = viewsOf;
    this.#stopWatching = watchMore?.(() => {
      this.#hasMore = true;
      feed.changed();
    });
  }

  /** The next text to send; undefined when the stream is over. */
  async next(): Promise<string | undefined> {
    if (this.#position === undefined) {
      const first = await this.#begin();
      if (first !== undefined) return first;
    }
    for (;;) {
      // Asked before the journal is read: a commit in between is not missed.
      const woken = this.#feed.next(this.#gone.signal);
      const text = await this.#read(this.#position ?? 0);
      if (text !== undefined) return text;
      if (this.#hasMore) {
        this.#hasMore = false;
        return eventText("log", {});
      }
      const why = await woken;
      if (why === "quiet") return ": quiet\n\n";
      if (why === "closed") {
        this.close();
        return undefined;
      }
    }
  }

  close(): void {
    this.#gone.abort();
    this.#stopWatching?.();
  }

  async #begin(): Promise<string | undefined> {
    const { after, last } = await this.#store.changesKept();
    const known = this.#after;
    this.#position = known ?? last;
    if (known === undefined) return eventText("begin", { seq: last }, last);
    return known < after || known > last ? this.#reset(known) : undefined;
  }

  async #reset(known: number): Promise<string> {
    const { after, last } = await this.#store.changesKept();
    this.#position = last;
    const why = `cannot resume after change ${known}: only changes ${after + 1} to ${last} are kept`;
    return eventText("reset", { seq: last, why }, last);
  }

  async #read(from: number): Promise<string | undefined> {
    if (this.#feed.isClosed) return undefined;
    const found = await this.#store.changes({ afterSeq: from, limit: CHANGES_AT_ONCE });
    const [first] = found;
    if (first === undefined) return undefined;
    // Numbers have no gaps: a gap is what was forgotten meanwhile.
    if (first.seq !== from + 1) return this.#reset(from);
    const seq = found.at(-1)?.seq ?? from;
    this.#position = seq;
    if (this.#viewsOf === undefined) return found.map(changeText).join("");
    return `id: ${seq}\nevent: views\ndata: ${await this.#viewsOf(found)}\n\n`;
  }
}

const changeText = ({ seq, aggregates }: StoredChange): string =>
  eventText("change", { seq, aggregates }, seq);

const eventText = (event: string, data: object, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
