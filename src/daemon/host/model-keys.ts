// The keys for models that a configuration names. Which provider a key is for, where that is and which
// variable holds it is said in factory.toml, by the owner of the key: a pawl.toml is committed, and
// must not be able to send a key elsewhere.
import type { KeySettings } from "../../config/factory-settings.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { ModelKey } from "../../ports/session-gateway.ts";
import { factorySettings } from "./bound-home.ts";
import type { Paths } from "./paths.ts";
import { secretsFile, type Secrets } from "./secrets.ts";

/** Known without an entry: the provider's own place, and the variable of its own programs. */
const USUAL: Record<string, KeySettings> = {
  anthropic: { provider: "anthropic", variable: "ANTHROPIC_API_KEY" },
  openai: { provider: "openai", variable: "OPENAI_API_KEY" },
  gemini: { provider: "gemini", variable: "GEMINI_API_KEY" },
};

type Place = { paths: Paths; secrets: Secrets };

export async function modelKeys(names: readonly string[], place: Place): Promise<ModelKey[]> {
  const read = await factorySettings(place.paths);
  if (read.kind === "invalid") {
    throw new OperationError(`cannot read the keys for models: ${read.problem}`, {
      code: "factory-settings",
      hint: "correct factory.toml in PAWL_HOME",
    });
  }
  const known = { ...USUAL, ...read.settings.keys };
  return Promise.all(names.map((name) => keyNamed(name, known, place)));
}

async function keyNamed(
  name: string,
  known: Record<string, KeySettings>,
  { paths, secrets }: Place,
): Promise<ModelKey> {
  const settings = Object.hasOwn(known, name) ? known[name] : undefined;
  if (settings === undefined) {
    throw new OperationError(`cannot use the key "${name}" of [gateway] keys: it is not known`, {
      code: "key-unknown",
      hint: `add [gateway.keys.${name}] to ${paths.home}/factory.toml, or use one of: ${Object.keys(known).join(", ")}`,
    });
  }
  const { provider, variable, url } = settings;
  const secret = await secrets(variable);
  if (secret === undefined || secret === "") {
    throw new OperationError(`cannot use the key "${name}": ${variable} is not set`, {
      code: "key-missing",
      hint: `write ${variable}=… into ${secretsFile(paths.home)} (chmod 600)`,
    });
  }
  return { name, provider, url, secret };
}
