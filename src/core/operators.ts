// Who is asked on the forge: the accounts that pawl.toml names, else the owner of the repository.
import type { ForgeConfig } from "./config.ts";

/** `operators = []` asks no account there. */
export const askedOnForge = (forge: ForgeConfig | undefined): string[] =>
  forge === undefined ? [] : (forge.operators ?? [forge.owner]);
