// What tokens cost, in dollars per million, by the beginning of a model's name; the longest that fits
// counts. A model that is missing here is counted in tokens alone, and the run says so.
import type { Tokens } from "../../core/usage.ts";

type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

const MILLION = 1_000_000;

const PRICES: Record<string, Price> = {
  "claude-opus-4": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "claude-opus-4-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-sonnet-4": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  "gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
  "gemini-2.5-pro": { input: 1.25, output: 10, cacheRead: 0.31, cacheWrite: 0 },
  "gemini-2.5-flash": { input: 0.3, output: 2.5, cacheRead: 0.075, cacheWrite: 0 },
};

/** Undefined where the model has no price here. */
export function costOf(model: string, tokens: Tokens): number | undefined {
  const [name] = Object.keys(PRICES)
    .filter((beginning) => model.startsWith(beginning))
    .toSorted((a, b) => b.length - a.length);
  const price = name === undefined ? undefined : PRICES[name];
  if (price === undefined) return undefined;
  const sum =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cacheRead * price.cacheRead +
    tokens.cacheWrite * price.cacheWrite;
  return sum / MILLION;
}
