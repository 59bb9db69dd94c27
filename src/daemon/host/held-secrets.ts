// Which secrets this process could show, so that none of them is logged, answered, published or
// posted: all of `.env` in PAWL_HOME, variables that are named like a secret, those that a
// configuration names, and every one that was asked for. They are known before anything runs, not
// only once they were used.
import { readFileSync, statSync } from "node:fs";
import type { ProjectConfig } from "../../core/config.ts";
import { redact, redactDeep, spellings } from "../../core/redact.ts";
import type { StoreReader } from "../../ports/store.ts";
import { createSecrets, parseSecrets, secretsFile, type Secrets } from "./secrets.ts";

const NAMED =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|KEY|_PAT|_DSN|_AUTH|WEBHOOK(?:_URL)?)$/i;

type Environment = Readonly<Record<string, string | undefined>>;

export type HeldSecrets = {
  /** The same secrets; what it gives out is remembered. */
  secrets: Secrets;
  redact: (text: string) => string;
  /** Variables that a configuration names as secrets. */
  know: (names: readonly string[]) => void;
};

const ofHomes = new Map<string, HeldSecrets>();

/** One memory per factory: its log, its API and its effects must know the same. */
export function heldSecrets(home: string): HeldSecrets {
  const known = ofHomes.get(home) ?? holdSecrets({ home, env: process.env });
  ofHomes.set(home, known);
  return known;
}

export function holdSecrets({ home, env }: { home: string; env: Environment }): HeldSecrets {
  const secrets = createSecrets(home, env);
  const named = Object.keys(env).filter((name) => NAMED.test(name));
  const held = new Set(named.flatMap((name) => env[name] ?? []));
  const file = rememberFile(secretsFile(home));
  const words = rememberWords();
  return {
    secrets: async (name) => {
      const value = await secrets(name);
      if (value !== undefined) held.add(value);
      return value;
    },
    know: (names) => names.forEach((name) => held.add(env[name] ?? "")),
    redact: (text) => redact(text, words([...held, ...file()])),
  };
}

/** A view without secrets, for what is shown without passing through the API. */
export const withoutSecrets = <View>(view: View, clean: (text: string) => string): View =>
  redactDeep(view, clean) as View;

/** The variables that a project's configuration names as secrets. */
export const secretNames = ({ vault, notify }: ProjectConfig): string[] => [
  ...(vault?.secrets ?? []),
  ...(notify ?? []).flatMap(({ urlEnv, tokenEnv }) => [urlEnv ?? [], tokenEnv ?? []].flat()),
];

/** What the configurations of all projects name is known from the first moment on. */
export async function knowProjects(store: StoreReader, home: string): Promise<void> {
  for (const { state } of await store.aggregates({ kind: "project", isBrief: true })) {
    if (state.kind !== "project" || state.config === undefined) continue;
    heldSecrets(home).know(secretNames(state.config));
  }
}

/** The values of the file; read again when it has changed. */
function rememberFile(path: string): () => string[] {
  let stamp = "";
  let values: string[] = [];
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    const now = found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`;
    if (now === stamp) return values;
    stamp = now;
    const isFile = found?.isFile() === true;
    values = isFile ? Object.values(parseSecrets(readFileSync(path, "utf8"))) : [];
    return values;
  };
}

/** How the secrets may be spelled, computed once for the same ones. */
function rememberWords(): (secrets: string[]) => readonly string[] {
  let of = "";
  let words: readonly string[] = [];
  return (secrets) => {
    const key = secrets.join("\0");
    if (key !== of) {
      of = key;
      words = spellings(secrets);
    }
    return words;
  };
}
