// Every key of pawl.toml as data, read off the schema: for `pawl config explain` and for the
// reference in docs, so that neither can forget one.
import { parseDuration } from "../lib/duration.ts";
import { configSchema } from "./schema.ts";

export type ConfigKey = {
  /** `ci.timeout`; `ci.gates[].name` in a list of tables, `schedule.NAME.at` in named tables. */
  key: string;
  meaning: string;
  type: string;
  isRequired: boolean;
  /** Where it is required, in words; undefined for a key that is always required, or never. */
  requiredIn: string | undefined;
  /** As it is written in the file; undefined where nothing is assumed. */
  assumed: string | undefined;
  /** In words, where the default depends on something else than this key. */
  otherwise: string | undefined;
  /** A line, or lines, that can be copied. */
  example: string;
};

type Node = Record<string, unknown>;

/** The values of examples where neither a default nor a choice says enough. */
const VALUES: Record<string, string> = {
  "project.name": '"my-app"',
  "project.target": '"main"',
  "gateway.keys": '["anthropic"]',
  "agent.command": '["my-agent", "--quiet"]',
  "agent.env": '{ LANG = "C.UTF-8" }',
  "agent.fallback": '["script"]',
  "agent.for[].label": '"docs"',
  "agent.for[].account": '"work"',
  "agent.account[].name": '"work"',
  "agent.account[].runtime": '"script"',
  "agent.account[].command": '["my-agent", "--quiet"]',
  "agent.account[].home": '"~/.work-account"',
  settings: '{ model = "sonnet" }',
  "price[].model": '"gpt-5"',
  "price[].input": "1.25",
  "price[].output": "10",
  cache_read: "0.125",
  cache_write: "0",
  "ci.command": '"npm test"',
  author: '"Ada <ada@example.org>"',
  copy: '[".env"]',
  hosts: '["registry.npmjs.org"]',
  "isolation.read": '["~/.rustup"]',
  devices: '["/dev/kvm"]',
  "isolation.limits.memory_mb": "8000",
  "isolation.limits.processes": "500",
  "isolation.limits.cpus": "2",
  "isolation.limits.file_mb": "1000",
  "isolation.write": '["~/.cache/go-build"]',
  protected: '["test.sh", ".github/**"]',
  resolve: '["mergiraf", "solve", "{file}"]',
  url: '"https://codeberg.org"',
  repo: '"ada/my-app"',
  token_env: '"FORGE_TOKEN"',
  url_env: '"SLACK_URL"',
  daily_summary: '"08:00"',
  "agent.codex.model": '"gpt-5.4"',
  "agent.opencode.model": '"anthropic/claude-opus-4-5"',
  "agent.gemini.model": '"gemini-2.5-pro"',
  "agent.copilot.model": '"gpt-5"',
  "agent.acp.model": '"large"',
  model: '"sonnet"',
  authors: '["ada"]',
  setup: '"npm ci"',
  teardown: '"docker compose down"',
  push: '"git@example.org:ada/checkpoints.git"',
  state_dir: '".pawl-state"',
  name: '"unit"',
  usd: "20",
  cron: '"0 6 * * 1"',
  formula: '"run-gardener"',
  pass_env: '["LANG"]',
  contexts: '["ci/test"]',
  "ci.gates[].command": '"npm run lint"',
  report: '"report.xml"',
  keep: '["node_modules"]',
  sparse: '["services/billing", "libs"]',
  operators: '["ada"]',
  "ci.gates[].timeout": '"5 min"',
  "forge.timeout": '"20 s"',
  adopt_after: '"7 d"',
  listen: '"127.0.0.1:8787"',
  ports_first: "20000",
  ports_count: "10",
  file_mb: "256",
  ci_timeout: '"30 min"',
  every: '"6 h"',
  jitter: '"10 min"',
  tokens: "2000000",
  "schedule.NAME.memory_mb": "2000",
  "schedule.NAME.role": '"gardener"',
  risk: '{ deploy = "high" }',
  "vault.policy[].risk": '"low"',
  "vault.reversible": '["note"]',
  secrets: '["DEPLOY_TOKEN"]',
  type: '"webhook"',
  "notify[].name": '"team"',
  "notify[].command": '["notify-send"]',
};

/** Keys that mean something only beside another one. */
const BESIDE: Record<string, string[]> = {
  "agent.for[].account": ["[[agent.account]]", 'name = "work"', 'runtime = "script"'],
  "ci.contexts": ['server = "forge"'],
  "workspace.ports_first": ["ports_count = 10"],
  "workspace.ports_count": ["ports_first = 20000"],
  "notify[].kind": ['url_env = "NEWS_URL"'],
};

export function configKeys(): ConfigKey[] {
  return below(configSchema(), { key: "", isRequired: true });
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A table, and whether a file must have it. */
type Table = { key: string; isRequired: boolean };

function below(node: Node, above: Table): ConfigKey[] {
  const properties = isNode(node["properties"]) ? node["properties"] : {};
  const required = new Set((node["required"] as string[] | undefined) ?? []);
  return Object.entries(properties).flatMap(([name, child]) => {
    if (!isNode(child)) return [];
    const key = above.key === "" ? name : `${above.key}.${name}`;
    const inner = insideOf(child, key);
    const isRequired = required.has(name);
    if (inner !== undefined) {
      return below(inner.node, { key: inner.key, isRequired: above.isRequired && isRequired });
    }
    const requiredIn = isRequired && !above.isRequired ? placeOf(key) : undefined;
    return [keyOf(child, { key, name, isRequired, requiredIn })];
  });
}

function placeOf(key: string): string {
  const table = header(key);
  return table.startsWith("[[") ? `in each ${table}` : `if there is a section ${table}`;
}

/** The keys inside a table, a list of tables, or tables that the user names. */
function insideOf(node: Node, key: string): { node: Node; key: string } | undefined {
  if (isNode(node["properties"])) return { node, key };
  const { items, additionalProperties: named } = node;
  if (isNode(items) && isNode(items["properties"])) {
    return { node: items, key: `${key}[]` };
  }
  if (isNode(named) && isNode(named["properties"])) {
    return { node: named, key: `${key}.NAME` };
  }
  return undefined;
}

type At = Pick<ConfigKey, "key" | "isRequired" | "requiredIn"> & { name: string };

function keyOf(node: Node, at: At): ConfigKey {
  const assumed = node["default"] === undefined ? undefined : toml(node["default"]);
  const { key, name, isRequired, requiredIn } = at;
  const value = VALUES[key] ?? VALUES[name] ?? ownExample(node) ?? usefulDefault(assumed);
  const about = typeof node["description"] === "string" ? node["description"] : "";
  const [meaning = "", otherwise] = assumed === undefined ? about.split(/ Default: /) : [about];
  return {
    key,
    meaning,
    type: isDuration(node, value) ? DURATION : typeOf(node),
    isRequired,
    requiredIn,
    assumed,
    otherwise: otherwise?.replace(/\.$/, ""),
    example: [header(key), `${name} = ${value ?? exampleOf(node)}`, ...(BESIDE[key] ?? [])].join(
      "\n",
    ),
  };
}

const DURATION = 'a duration: a number and s, min, h or d, as in "90 s" or "2 h"';

/** The schema knows only that it is a text. */
const isDuration = ({ type }: Node, value: string | undefined): boolean =>
  type === "string" && value !== undefined && parseDuration(value.slice(1, -1)) !== undefined;

const ownExample = ({ examples }: Node): string | undefined =>
  Array.isArray(examples) ? toml(examples[0]) : undefined;

const usefulDefault = (assumed: string | undefined): string | undefined =>
  assumed === "[]" || assumed === "{}" || assumed === "false" ? undefined : assumed;

/** `[ci]`, `[[ci.gates]]`, `[schedule.nightly]`. */
function header(key: string): string {
  const table = key.slice(0, key.lastIndexOf(".")).replaceAll(".NAME", ".nightly");
  return table.endsWith("[]") ? `[[${table.slice(0, -2)}]]` : `[${table.replaceAll("[]", "")}]`;
}

function exampleOf(node: Node): string {
  const [choice] = choicesOf(node);
  if (choice !== undefined) return choice;
  const { type } = node;
  if (type === "boolean") return "true";
  if (type === "integer" || type === "number") return toml(node["minimum"] ?? 1);
  if (type === "array") return `[${isNode(node["items"]) ? exampleOf(node["items"]) : '"…"'}]`;
  return type === "object" ? '{ NAME = "value" }' : '"…"';
}

const choicesOf = (node: Node): string[] =>
  Array.isArray(node["enum"])
    ? node["enum"].map(toml)
    : node["const"] === undefined
      ? []
      : [toml(node["const"])];

function typeOf(node: Node): string {
  const choices = choicesOf(node);
  if (choices.length > 0)
    return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`;
  const variants = (node["anyOf"] ?? node["oneOf"]) as Node[] | undefined;
  if (variants !== undefined) return variants.map(typeOf).join(" or ");
  const { type, minimum, maximum } = node;
  if (type === "array")
    return `a list of ${isNode(node["items"]) ? plural(typeOf(node["items"])) : "values"}`;
  if (type === "object") return "a table";
  if (type === "integer" || type === "number") {
    const isBounded = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER;
    return `a number${isBounded ? ` from ${String(minimum)} to ${maximum}` : ""}`;
  }
  return type === "boolean" ? "true or false" : "a string";
}

const plural = (type: string): string =>
  ({ "a string": "strings", "a number": "numbers", "a table": "tables" })[type] ?? type;

const toml = (value: unknown): string =>
  isNode(value) && Object.keys(value).length === 0 ? "{}" : JSON.stringify(value);
