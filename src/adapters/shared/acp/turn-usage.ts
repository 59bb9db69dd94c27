// What the answer to a prompt says of the tokens that its turn, or its program, has used. `usage` is a
// draft of the protocol; `_meta.quota` is what agents said before it, with the models.
import type { Tokens } from "../../../core/usage.ts";
import { isObject } from "../../../lib/json-object.ts";

export type TurnUsage = { parts: Tokens; model?: string };

/** Undefined where it says nothing. */
export function readUsage(response: object): TurnUsage | undefined {
  const { usage, _meta: meta } = response as { usage?: unknown; _meta?: unknown };
  if (isObject(usage) && typeof usage["totalTokens"] === "number") {
    return { parts: partsIn(usage, usage["totalTokens"]) };
  }
  const quota = isObject(meta) ? meta["quota"] : undefined;
  if (!isObject(quota)) return undefined;
  const parts = counted(quota["token_count"]);
  if (parts === undefined) return undefined;
  const model = mostUsed(quota["model_usage"]);
  return model === undefined ? { parts } : { parts, model };
}

/** What is not told as anything else is input. */
function partsIn(usage: Record<string, unknown>, total: number): Tokens {
  const count = (name: string): number =>
    typeof usage[name] === "number" ? Math.min(usage[name], total) : 0;
  const output = count("outputTokens");
  const cacheRead = count("cachedReadTokens");
  const cacheWrite = count("cachedWriteTokens");
  return {
    input: Math.max(0, total - output - cacheRead - cacheWrite),
    output,
    cacheRead,
    cacheWrite,
  };
}

function counted(value: unknown): Tokens | undefined {
  if (!isObject(value)) return undefined;
  const { input_tokens: input, output_tokens: output } = value;
  if (typeof input !== "number" || typeof output !== "number") return undefined;
  return { input, output, cacheRead: 0, cacheWrite: 0 };
}

/** Errands of an agent ask a smaller model: the one that used most is the one that works. */
function mostUsed(value: unknown): string | undefined {
  const models = (Array.isArray(value) ? value : []).filter(isObject).flatMap((one) => {
    const parts = counted(one["token_count"]);
    const { model } = one;
    return typeof model === "string" && parts !== undefined
      ? [{ model, tokens: parts.input + parts.output }]
      : [];
  });
  return models.toSorted((one, other) => other.tokens - one.tokens)[0]?.model;
}
