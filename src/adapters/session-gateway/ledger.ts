// The books of one life: what its requests have used, by day and model, on disk before it is reported
// through the spool. The daemon reads the rows when it likes; a budget is counted here at once. While the
// disk is full, both wait here and the answer goes on: it is paid, and an agent that sees it break off
// would ask and pay again.
import { dayOf } from "../../core/budget.ts";
import type { Spent } from "../../core/budget.ts";
import type { Prices } from "../../core/config.ts";
import { foldRow, tokensOf, type Tokens, type UsageRow } from "../../core/usage.ts";
import type { SpoolWriter } from "../shared/agent-host/spool-writer.ts";
import { atMost } from "../shared/at-most.ts";
import { createSerial } from "../shared/serial.ts";
import { isShortage } from "../shared/shortage.ts";
import { costOf } from "../shared/prices.ts";
import { writeBooks } from "./files.ts";

/** How long an answer waits for a report. */
const REPORT_MS = 2_000;
const RETRY_MS = 5_000;

const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export class Ledger {
  readonly #folder: string;
  readonly #report: SpoolWriter;
  readonly #prices: Prices;
  readonly #inOrder = createSerial();
  readonly #unpriced = new Set<string>();
  readonly #warnings: string[] = [];
  #rows: UsageRow[] = [];
  #requests = 0;
  /** Once there may be room again. */
  #willRetry = false;

  /** `prices`: the user's own. */
  constructor(options: { folder: string; report: SpoolWriter; prices: Prices }) {
    this.#folder = options.folder;
    this.#report = options.report;
    this.#prices = options.prices;
  }

  /** Before the first request: a life that never asks has empty books, not none. */
  async open(): Promise<void> {
    await this.#isWritten();
  }

  begin(): void {
    this.#requests += 1;
  }

  /** What one request has used since it was last told; answers what that is to a budget. */
  add(model: string, more: Tokens, at: number): Spent {
    const costUsd = costOf(model, more, this.#prices);
    if (costUsd === undefined) this.#warnOf(model);
    const row = { ...more, day: dayOf(at), model, sidechain: false, costUsd: costUsd ?? 0 };
    // The tokens are the provider's own figures; the money is theirs times a list price.
    const isPriced = costUsd !== undefined && costUsd > 0;
    this.#rows = foldRow(this.#rows, isPriced ? { ...row, isEstimate: true } : row);
    return {
      tokens: tokensOf(more),
      usd: row.costUsd,
      ...(isPriced ? { estimatedUsd: costUsd } : {}),
    };
  }

  /** On disk first: what is reported can be looked up. */
  async save(): Promise<void> {
    if (!(await this.#isWritten())) return;
    const sum = this.#rows.reduce(
      (all, row) => ({ tokens: all.tokens + tokensOf(row), usd: all.usd + row.costUsd }),
      { tokens: 0, usd: 0 },
    );
    const facts = [
      { kind: "usage", ...sum, requests: this.#requests },
      ...this.#warnings.splice(0).map((text) => ({ kind: "warning", text })),
    ];
    await atMost(REPORT_MS, Promise.all(facts.map((fact) => this.#report(fact))));
  }

  /** False where there is no room: the books are written whole, and reported, a little later. */
  async #isWritten(): Promise<boolean> {
    try {
      await this.#write();
      return true;
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (!this.#willRetry) setTimeout(() => this.#saveAgain(), RETRY_MS).unref();
      this.#willRetry = true;
      return false;
    }
  }

  #saveAgain(): void {
    this.#willRetry = false;
    // Without its folder the daemon has given up this life.
    this.save().catch(() => undefined);
  }

  #write(): Promise<void> {
    return this.#inOrder(this.#folder, () =>
      writeBooks(this.#folder, { rows: this.#rows, requests: this.#requests }),
    );
  }

  #warnOf(model: string): void {
    if (this.#unpriced.has(model)) return;
    this.#unpriced.add(model);
    this.#warnings.push(
      `no price is known for the model ${model}: its tokens count, its cost does not`,
    );
  }
}

/** What `now` has more than `before`. A later report of one answer never takes anything back. */
export const moreThan = (before: Tokens = NO_TOKENS, now: Tokens): Tokens => ({
  input: Math.max(0, now.input - before.input),
  output: Math.max(0, now.output - before.output),
  cacheRead: Math.max(0, now.cacheRead - before.cacheRead),
  cacheWrite: Math.max(0, now.cacheWrite - before.cacheWrite),
});
