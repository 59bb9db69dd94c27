// What an item of the vault would do, as data, and what is known of such actions. Any agent may
// write one: everything is checked and bounded here. Secrets are named `{{secret:NAME}}`, never
// held.
import { isObject } from "../../lib/json-object.ts";

export type VaultAction =
  | {
      kind: "webhook";
      endpoint: string;
      method: string;
      headers: Record<string, string>;
      body: string;
    }
  /** `env` and `input` may name secrets; `argv` may not, because everybody can read it. */
  | { kind: "command"; argv: string[]; env: Record<string, string>; input: string }
  | { kind: "forge"; issue: number; act: ForgeAct }
  /** A program of the user's: `vault/handlers/{type}` on the target. */
  | { kind: "program"; type: string; payload: string; secrets: string[] };

export type ForgeAct =
  | { kind: "comment"; body: string }
  | { kind: "label"; add: string[]; remove: string[] }
  | { kind: "close" };

export const RISKS = ["low", "medium", "high"] as const;
export type Risk = (typeof RISKS)[number];

const TEXT_MAX = 32_000;
const WORDS_MAX = 50;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const SECRET = /\{\{secret:(?<name>[A-Za-z_]\w*)\}\}/g;
const TYPE = /^[a-z][a-z0-9-]{0,39}$/;

type Fields = Record<string, unknown>;

/** By the name that policies use: the kind, or the user's own. */
export const typeOf = (action: VaultAction): string =>
  action.kind === "program" ? action.type : action.kind;

/** Undefined where a field is missing or wrong. */
export function readVaultAction(value: unknown): VaultAction | undefined {
  if (!isObject(value)) return undefined;
  switch (value["kind"]) {
    case "webhook":
      return readWebhook(value);
    case "command":
      return readCommand(value);
    case "forge":
      return readForge(value);
    case "program":
      return readProgram(value);
    default:
      return undefined;
  }
}

function readWebhook(fields: Fields): VaultAction | undefined {
  const { endpoint, method = "POST", headers = {}, body = "" } = fields;
  const isAddress =
    isText(endpoint) && /^https?:\/\/[^\s{}]+$/.test(endpoint.replaceAll(SECRET, "s"));
  if (!isAddress || !isText(body) || !isTexts(headers)) return undefined;
  const wanted = typeof method === "string" ? METHODS.find((one) => one === method) : undefined;
  if (wanted === undefined) return undefined;
  return { kind: "webhook", endpoint, method: wanted, headers, body };
}

function readCommand(fields: Fields): VaultAction | undefined {
  const { argv, env = {}, input = "" } = fields;
  if (!isList(argv) || argv.length === 0 || argv[0]?.trim() === "") return undefined;
  if (!isTexts(env) || !isText(input)) return undefined;
  if (argv.some((word) => secretsIn(word).length > 0)) return undefined;
  return { kind: "command", argv, env, input };
}

function readForge(fields: Fields): VaultAction | undefined {
  const { issue, act } = fields;
  if (typeof issue !== "number" || !Number.isSafeInteger(issue) || issue < 1) return undefined;
  if (!isObject(act)) return undefined;
  const read = readAct(act);
  return read === undefined ? undefined : { kind: "forge", issue, act: read };
}

function readAct({ kind, body, add = [], remove = [] }: Fields): ForgeAct | undefined {
  if (kind === "close") return { kind };
  if (kind === "comment") return isText(body) && body !== "" ? { kind, body } : undefined;
  if (kind !== "label" || !isList(add) || !isList(remove)) return undefined;
  return add.length + remove.length === 0 ? undefined : { kind, add, remove };
}

function readProgram({ type, payload = "", secrets = [] }: Fields): VaultAction | undefined {
  if (typeof type !== "string" || !TYPE.test(type) || !isText(payload)) return undefined;
  if (!isList(secrets) || secrets.some((name) => !/^[A-Za-z_]\w*$/.test(name))) return undefined;
  return { kind: "program", type, payload, secrets };
}

/** Names of all secrets that firing it needs. */
export function secretsOf(action: VaultAction): string[] {
  const named = action.kind === "program" ? action.secrets : secretsIn(JSON.stringify(action));
  return [...new Set(named)].toSorted();
}

function secretsIn(text: string): string[] {
  return [...text.matchAll(SECRET)].map((match) => match.groups?.["name"] ?? "");
}

/** The text with every secret in its place. */
export const withSecrets = (text: string, secrets: Readonly<Record<string, string>>): string =>
  text.replaceAll(SECRET, (whole, name: string) => secrets[name] ?? whole);

/** Its minimum risk, independent of what the request says. */
export function leastRisk(action: VaultAction): Risk {
  if (secretsOf(action).length > 0) return "high";
  if (action.kind === "webhook") return "medium";
  if (action.kind !== "forge") return "high";
  return action.act.kind === "close" ? "medium" : "low";
}

/** Actions that can be undone on the forge; all others only where the configuration says so. */
export const isReversible = (action: VaultAction, declared: readonly string[]): boolean =>
  action.kind === "forge" || declared.includes(typeOf(action));

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= TEXT_MAX;

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= WORDS_MAX && value.every(isText);

const isTexts = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.keys(value).length <= WORDS_MAX && Object.values(value).every(isText);
