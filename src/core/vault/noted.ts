// The short memory of an item: what happened to it, the newest last.
import type { Context } from "../context.ts";
import type { VaultItem } from "./item.ts";

const LOG_MAX = 50;
const TEXT_MAX = 500;

export const noted = (item: VaultItem, text: string, { at }: Pick<Context, "at">): VaultItem => ({
  ...item,
  log: [...item.log, { at, text: text.slice(0, TEXT_MAX) }].slice(-LOG_MAX),
});
