// What a life has used, from what its agent says at the end of a turn. Tokens are counted by turn
// or since the program started; money by conversation, so that what earlier lives have spent on it
// is taken off: they leave the sum in their folders.
import { join } from "node:path";
import { tokensOf, type Tokens } from "../../../core/usage.ts";
import { parseObject } from "../../../lib/json-object.ts";
import type { DriverOptions } from "../agent-host/driver.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";
import { readUsage } from "./turn-usage.ts";

const FILE = "acp-cost.json";
const FILE_MAX_BYTES = 1024;

type Options = Pick<DriverOptions, "dir" | "before" | "onEvent">;

export class Meter {
  readonly #options: Options;
  readonly #counts: "turn" | "program";
  /** As the session was opened with, or as the last turn told. */
  model: string | undefined;
  #parts: Tokens | undefined;
  #spentBefore = 0;
  #usd: number | undefined;

  constructor(options: Options, counts: "turn" | "program") {
    this.#options = options;
    this.#counts = counts;
  }

  async open(): Promise<void> {
    const { before } = this.#options;
    if (before === undefined) return;
    const text = await readUntrusted(join(before, FILE), FILE_MAX_BYTES);
    const usd = parseObject(text ?? "")?.["usd"];
    this.#spentBefore = typeof usd === "number" ? usd : 0;
    await this.#keep(this.#spentBefore);
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
    // A program that begins to count again has forgotten the earlier lives itself.
    const own =
      usd === undefined ? undefined : usd - (usd < this.#spentBefore ? 0 : this.#spentBefore);
    const detail = {
      ...(this.model === undefined ? {} : { model: this.model }),
      ...(parts === undefined ? {} : { parts }),
    };
    const tokens = parts === undefined ? undefined : tokensOf(parts);
    this.#options.onEvent({ kind: "usage", tokens, usd: own, ...detail });
    if (usd === undefined) return;
    this.#keep(usd).catch((error: unknown) => {
      const text = `cannot record what was spent, so the next session counts it again: ${String(error)}`;
      this.#options.onEvent({ kind: "warning", text });
    });
  }

  async #keep(usd: number): Promise<void> {
    await writeWhole(join(this.#options.dir, FILE), `${JSON.stringify({ usd })}\n`);
  }
}

const sum = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
});
