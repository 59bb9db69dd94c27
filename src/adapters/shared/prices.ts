// What models cost by the lists of their vendors. Used where an agent tells tokens and no money: such
// a cost is an estimate, and is called one. [[price]] in pawl.toml replaces a price or adds one.
import type { Price, Prices } from "../../core/config.ts";
import type { Tokens } from "../../core/usage.ts";

/**
 * By the beginning of a model's name; the longest that fits counts. As of November 2025, from https://docs.claude.com/en/docs/about-claude/pricing,
 * https://platform.openai.com/docs/pricing and https://ai.google.dev/gemini-api/docs/pricing.
 */
const LIST: Prices = {
  "claude-opus-4": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "claude-opus-4-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-sonnet-4": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  "gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
  "gemini-2.5-pro": { input: 1.25, output: 10, cacheRead: 0.31, cacheWrite: 0 },
  "gemini-2.5-flash": { input: 0.3, output: 2.5, cacheRead: 0.075, cacheWrite: 0 },
};

const MILLION = 1_000_000;

/** In dollars; undefined where the model has no price. `own`: what the user wrote. */
export function costOf(model: string, tokens: Tokens, own: Prices = {}): number | undefined {
  const price = priceIn(own, model) ?? priceIn(LIST, model);
  if (price === undefined) return undefined;
  const sum =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cacheRead * price.cacheRead +
    tokens.cacheWrite * price.cacheWrite;
  return sum / MILLION;
}

function priceIn(prices: Prices, model: string): Price | undefined {
  const [name] = Object.keys(prices)
    .filter((beginning) => model.startsWith(beginning))
    .toSorted((a, b) => b.length - a.length);
  return name === undefined ? undefined : prices[name];
}
