// What a life has used, from what its agent says at the end of a turn. Tokens are counted by turn
// or since the program started; money by conversation, so that what earlier lives have spent on it
// is taken off: each keeps the sum in its folder, and the next launch hands it on (acp-agent.ts).
import { join } from "node:path";
import { tokensOf, type Tokens } from "../../../core/usage.ts";
import { parseObject } from "../../../lib/json-object.ts";
import type { DriverOptions } from "../agent-host/driver.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";
import { readUsage } from "./turn-usage.ts";

export const COST_FILE = "acp-cost.json";
const FILE_MAX_BYTES = 1024;

type Options = Pick<DriverOptions, "dir" | "onEvent">;

export class Meter {
  readonly #options: Options;
  readonly #counts: "turn" | "program";
  /** As the session was opened with, or as the last turn told. */
  model: string | undefined;
  #parts: Tokens | undefined;
  #spentBefore = 0;
  /** The program counts every life from 0: the first report of a life shows it. */
  #forgets: boolean | undefined;
  #usd: number | undefined;
  #kept: Promise<void> = Promise.resolve();

  constructor(options: Options, counts: "turn" | "program") {
    this.#options = options;
    this.#counts = counts;
  }

  async open(): Promise<void> {
    const text = await readUntrusted(join(this.#options.dir, COST_FILE), FILE_MAX_BYTES);
    const { usd, forgets } = parseObject(text ?? "") ?? {};
    this.#spentBefore = typeof usd === "number" ? usd : 0;
    if (forgets === true) this.#forgets = true;
  }

  turnEnded(response: object, usd: number | undefined): void {
    const used = readUsage(response);
    if (used !== undefined) {
      this.model = used.model ?? this.model;
      const before = this.#counts === "turn" ? this.#parts : undefined;
      this.#parts = before === undefined ? used.parts : sum(before, used.parts);
    }
    this.#report(usd);
  }

  costChanged(usd: number | undefined): void {
    if (usd !== undefined && usd !== this.#usd) this.#report(usd);
  }

  #report(usd: number | undefined): void {
    this.#usd = usd;
    const parts = this.#parts;
    if (usd === undefined && parts === undefined) return;
    const own = usd === undefined ? undefined : this.#ownOf(usd);
    const detail = {
      ...(this.model === undefined ? {} : { model: this.model }),
      ...(parts === undefined ? {} : { parts }),
    };
    const tokens = parts === undefined ? undefined : tokensOf(parts);
    this.#options.onEvent({ kind: "usage", tokens, usd: own, ...detail });
    if (usd !== undefined) this.#keep(usd);
  }

  #ownOf(usd: number): number {
    this.#forgets ??= usd < this.#spentBefore;
    return this.#forgets ? usd : Math.max(0, usd - this.#spentBefore);
  }

  #keep(usd: number): void {
    const text = `${JSON.stringify({ usd, forgets: this.#forgets })}\n`;
    this.#kept = this.#kept
      .then(() => writeWhole(join(this.#options.dir, COST_FILE), text))
      .catch((error: unknown) => {
        const why = `cannot record what was spent, so the next session counts it again: ${String(error)}`;
        this.#options.onEvent({ kind: "warning", text: why });
      });
  }
}

const sum = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
});
