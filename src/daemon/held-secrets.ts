// Remembers which secrets this process holds, so that none of them is shown to an agent or posted:
// values of variables that are named like one, and every one that was ever asked for.
import { redact } from "../core/redact.ts";
import type { Secrets } from "./secrets.ts";

const NAMED = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_KEY|PRIVATE_KEY)$/i;

export type HeldSecrets = {
  /** The same secrets; what it gives out is remembered. */
  secrets: Secrets;
  redact: (text: string) => string;
};

export function holdSecrets(
  secrets: Secrets,
  env: Readonly<Record<string, string | undefined>>,
): HeldSecrets {
  const named = Object.entries(env).filter(([name]) => NAMED.test(name));
  const held = new Set(named.flatMap(([, value]) => value ?? []));
  return {
    secrets: async (name) => {
      const value = await secrets(name);
      if (value !== undefined) held.add(value.trim());
      return value;
    },
    redact: (text) => redact(text, [...held]),
  };
}
