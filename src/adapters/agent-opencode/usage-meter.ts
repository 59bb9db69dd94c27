// What this life of opencode has used: it tells tokens and money of every message, and the same
// message again whenever it grows.
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import { tokensOf, type Message } from "./events.ts";

type Providers = {
  providers: { id: string; models: Record<string, { limit?: { context?: number } }> }[];
};

export class UsageMeter {
  readonly #onEvent: (event: DriverEvent) => void;
  readonly #messages = new Map<string, { tokens: number; usd: number }>();
  #providers: Providers["providers"] = [];

  constructor(onEvent: (event: DriverEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** How large the contexts of models are. */
  knows(answer: unknown): void {
    this.#providers = (answer as Providers).providers;
  }

  /** `isOwn`: of the session itself, whose context is told. */
  hear(message: Message, isOwn: boolean): void {
    const { id, tokens, cost = 0 } = message;
    if (tokens === undefined) return;
    const used = tokensOf(tokens);
    if (used === 0) return;
    this.#messages.set(id, { tokens: used, usd: cost });
    const all = [...this.#messages.values()];
    this.#onEvent({
      kind: "usage",
      tokens: all.reduce((sum, one) => sum + one.tokens, 0),
      usd: all.reduce((sum, one) => sum + one.usd, 0),
    });
    const size = isOwn ? this.#sizeFor(message) : 0;
    if (size > 0) this.#onEvent({ kind: "context", percent: (used / size) * 100 });
  }

  #sizeFor({ providerID, modelID = "" }: Message): number {
    const provider = this.#providers.find(({ id }) => id === providerID);
    return provider?.models[modelID]?.limit?.context ?? 0;
  }
}
