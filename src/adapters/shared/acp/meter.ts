// What a life has used, from what its agent says at the end of a turn. Tokens are counted by turn
// or since the program started; money by conversation, so that what earlier lives have spent on it
// is taken off: they leave the sum in their folders.
import { join } from "node:path";
import { isObject, parseObject } from "../../../lib/json-object.ts";
import type { DriverOptions } from "../agent-host/driver.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";

const FILE = "acp-cost.json";
const FILE_MAX_BYTES = 1024;

type Options = Pick<DriverOptions, "dir" | "before" | "onEvent">;

export class Meter {
  readonly #options: Options;
  readonly #counts: "turn" | "program";
  #tokens: number | undefined;
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
    const tokens = tokensIn(response);
    if (tokens !== undefined) {
      this.#tokens = this.#counts === "turn" ? (this.#tokens ?? 0) + tokens : tokens;
    }
    this.#report(usd);
  }

  costChanged(usd: number | undefined): void {
    if (usd !== undefined && usd !== this.#usd) this.#report(usd);
  }

  #report(usd: number | undefined): void {
    this.#usd = usd;
    if (usd === undefined && this.#tokens === undefined) return;
    // A program that begins to count again has forgotten the earlier lives itself.
    const own =
      usd === undefined ? undefined : usd - (usd < this.#spentBefore ? 0 : this.#spentBefore);
    this.#options.onEvent({ kind: "usage", tokens: this.#tokens, usd: own });
    if (usd === undefined) return;
    this.#keep(usd).catch((error: unknown) => {
      const text = `cannot note what was spent, so that the next session counts it again: ${String(error)}`;
      this.#options.onEvent({ kind: "warning", text });
    });
  }

  async #keep(usd: number): Promise<void> {
    await writeWhole(join(this.#options.dir, FILE), `${JSON.stringify({ usd })}\n`);
  }
}

/** `usage` is a draft of the protocol; `_meta.quota` is what agents said before it. */
function tokensIn(response: object): number | undefined {
  const { usage, _meta: meta } = response as { usage?: unknown; _meta?: unknown };
  if (isObject(usage) && typeof usage["totalTokens"] === "number") return usage["totalTokens"];
  const quota = isObject(meta) ? meta["quota"] : undefined;
  const counted = isObject(quota) ? quota["token_count"] : undefined;
  if (!isObject(counted)) return undefined;
  const { input_tokens: input, output_tokens: output } = counted;
  return typeof input === "number" && typeof output === "number" ? input + output : undefined;
}
