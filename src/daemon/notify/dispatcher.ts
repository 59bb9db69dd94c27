// Delivers what the notice board accepted: channels side by side, each in order. A channel that
// fails waits for its next try and delays nothing else; its failed deliveries are shown in
// `status`.
import { withoutSecrets } from "../host/held-secrets.ts";
import type { StatusView } from "../../api/runs.ts";
import type { ProjectName } from "../../core/ids.ts";
import { describeError, OperationError } from "../../lib/operation-error.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Channel } from "../../ports/notifier.ts";
import type { Store } from "../../ports/store.ts";
import {
  brought,
  dueNotice,
  foldDue,
  nextAt,
  notBrought,
  accept,
  type Notices,
} from "./notices.ts";
import { allWays, changeNotices, keyOf, noticesOf, type Way } from "./records.ts";
import { summaryDue, summaryNews } from "./summary.ts";

const LOOK_MAX_MS = 60_000;

export type DispatcherDeps = {
  /** News leave this machine: they carry no secrets. */
  redact: (text: string) => string;
  store: Store;
  clock: Clock;
  open: (way: Way) => Promise<Channel>;
  status: (project: ProjectName) => Promise<StatusView>;
  onError: (error: unknown) => void;
};

/** A way that is being served; `again`: there may be more by now. */
type Served = { again: boolean; work: Promise<void> };

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  /** Each way has a turn of its own: one whose server never answers holds up no other. */
  readonly #served = new Map<string, Served>();
  readonly #timers = new Map<string, Timer>();
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /** There may be something to bring. */
  wake(): void {
    if (this.#closed) return;
    if (this.#round !== undefined) {
      this.#again = true;
      return;
    }
    this.#timer?.cancel();
    this.#round = this.#serveAll()
      .catch((error: unknown) => this.#broke(error))
      .finally(() => this.#rest());
  }

  /** Resolves when nothing is on its way any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    for (const timer of this.#timers.values()) timer.cancel();
    await this.#round;
    await Promise.all(Array.from(this.#served.values(), ({ work }) => work));
  }

  /** After any failure, waiting news is tried again without waiting for other news. */
  #broke(error: unknown): void {
    this.#deps.onError(error);
    this.#wakeAfter(LOOK_MAX_MS);
  }

  #wakeAfter(delayMs: number): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.after(delayMs, () => this.wake());
  }

  #rest(): void {
    this.#round = undefined;
    if (this.#again) {
      this.#again = false;
      this.wake();
    }
  }

  async #serveAll(): Promise<void> {
    const ways = await allWays(this.#deps.store);
    for (const way of ways) this.#serveSoon(way);
    if (ways.length > 0) this.#wakeAfter(LOOK_MAX_MS);
  }

  #serveSoon(way: Way): void {
    const key = keyOf(way);
    const known = this.#served.get(key);
    if (known !== undefined) {
      known.again = true;
      return;
    }
    if (this.#closed) return;
    const served: Served = { again: false, work: Promise.resolve() };
    this.#served.set(key, served);
    served.work = this.#serveOnce(way)
      .catch((error: unknown) => this.#broke(error))
      .finally(() => {
        this.#served.delete(key);
        // Its settings may be others by now: all ways are read again.
        if (served.again) this.wake();
      });
  }

  async #serveOnce(way: Way): Promise<void> {
    const { clock } = this.#deps;
    const next = await this.#serve(way);
    const key = keyOf(way);
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
    if (next === undefined || this.#closed) return;
    const waitMs = Math.max(0, next - clock.now());
    this.#timers.set(
      key,
      clock.after(waitMs, () => this.wake()),
    );
  }

  /** Everything that is due on one way; when there is more to do. */
  async #serve(way: Way): Promise<number | undefined> {
    const { store, clock } = this.#deps;
    await this.#sumUp(way);
    const { foldMs } = way.channel;
    let notices = await changeNotices(store, way, (now) =>
      foldDue(now, { at: clock.now(), foldMs }),
    );
    for (;;) {
      const due = this.#closed ? undefined : dueNotice(notices, clock.now());
      if (due === undefined) return nextAt(notices);
      notices = await this.#bring(way, due);
    }
  }

  async #bring(way: Way, { news }: { news: Notices["pending"][number]["news"] }): Promise<Notices> {
    const { store, clock, open, redact } = this.#deps;
    try {
      await (await open(way)).send(withoutSecrets(news, redact));
      return await changeNotices(store, way, (notices) => brought(notices, news.key));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const { message, hint } = describeError(error);
      const why = hint === undefined ? message : `${message} (${hint})`;
      const failure = { at: clock.now(), why, retryable: error.retryable };
      return changeNotices(store, way, (notices) => notBrought(notices, news.key, failure));
    }
  }

  async #sumUp(way: Way): Promise<void> {
    const { store, clock, status } = this.#deps;
    const { summaryAt, foldMs } = way.channel;
    const at = clock.now();
    const { summedUp } = await noticesOf(store, way);
    const day = summaryDue(at, { summaryAt, summedUp });
    if (day === undefined) return;
    const news = summaryNews(await status(way.project), { project: way.project, day, at });
    await changeNotices(store, way, (notices) => ({
      ...accept(notices, news, { at, foldMs }),
      summedUp: day,
    }));
  }
}
