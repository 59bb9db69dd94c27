// What one life of Codex has used. Codex counts for the whole thread: what earlier lives used of it is
// taken off. It tells tokens and the model, and no money.
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import type { ThreadTokens } from "./protocol.ts";

const NONE: ThreadTokens = {
  totalTokens: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
};

export class ThreadUsage {
  /** Known once the thread is open. */
  model: string | undefined;
  /** What the thread had used before this life. */
  #before = NONE;

  /** A resumed thread tells at once what it has used so far. */
  setBefore(total: ThreadTokens): void {
    this.#before = total;
  }

  used(total: ThreadTokens): DriverEvent {
    const since = (key: keyof ThreadTokens): number => Math.max(0, total[key] - this.#before[key]);
    const cacheRead = since("cachedInputTokens");
    const input = Math.max(0, since("inputTokens") - cacheRead);
    const parts = { input, output: since("outputTokens"), cacheRead, cacheWrite: 0 };
    const model = this.model === undefined ? {} : { model: this.model };
    return { kind: "usage", tokens: since("totalTokens"), usd: undefined, ...model, parts };
  }
}
