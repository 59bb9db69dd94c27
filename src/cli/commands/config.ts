// `pawl config check|show|explain`: what pawl.toml says, what is assumed, and what a key means. It
// reads the file in the checkout and needs no daemon.
import { dirname } from "node:path";
import { hiddenInside, hiddenText } from "../../config/hidden-inside.ts";
import { findProgram } from "../../config/find-program.ts";
import { configKeys, type ConfigKey } from "../../config/keys.ts";
import { nearest } from "../../config/nearest.ts";
import { parseConfig } from "../../config/parse.ts";
import { formatProblems } from "../../config/problem.ts";
import { parseToml } from "../../config/toml.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { detectPorts } from "../detect-ports.ts";
import { findConfig } from "../find-config.ts";
import { usage } from "../options.ts";
import { scriptLeftOut } from "../script-left-out.ts";
import { sayNotInForce } from "../output/ignored-config.ts";
import { wrapped } from "../output/wrap.ts";
import { printJson, printRows } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl config check
  pawl config show
  pawl config explain ci.timeout
  pawl config explain ci                     every key of a section`;

type Json = { json?: true | undefined };

export const addConfig: AddCommand = (program, { deps, finish }) => {
  const config = program
    .command("config")
    .description("check, show and explain pawl.toml")
    .addHelpText("after", EXAMPLES)
    .hook("preAction", () => {
      if ((program.opts() as { project?: string }).project === undefined) return;
      throw usage("pawl config reads the pawl.toml of the folder you are in, and has no --project");
    });
  config
    .command("check")
    .description("find mistakes in pawl.toml (exits 1 if there are any)")
    .option("--json", "as JSON: file, line, key and message of each")
    .action(async (options) => finish(await check(deps(), options)));
  config
    .command("show")
    .description("show your keys first, then the others with their defaults")
    .option("--json", "print JSON with all fields")
    .action((options) => show(deps(), options));
  config
    .command("explain")
    .description("explain what a key means, with its default and an example")
    .argument("[key]", "a key (ci.timeout) or a section (ci); without it, a list of all keys")
    .option("--json", "print JSON with all fields")
    .action((key, options) => explain(deps(), key, options));
};

async function check(deps: Deps, { json }: Json): Promise<ExitCode> {
  const { path, text } = findConfig(deps.cwd);
  const parsed = parseConfig(text, path);
  const problems = parsed.kind === "valid" ? [] : parsed.problems;
  if (json === true) printJson(deps, problems);
  else if (problems.length > 0) deps.stdout(wrapped(deps, `${formatProblems(problems)}\n`));
  else deps.stderr(`${path} is valid\n`);
  if (parsed.kind === "valid") {
    await warnOfResolver(deps, path, parsed.config.merge);
    await warnOfScript(deps, path, parsed.config);
    warnOfWalls(deps, parsed.config);
  }
  if (json !== true) await sayNotInForce(deps, dirname(path));
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

/** The file is right and the program may be there where the daemon runs: only said. */
async function warnOfResolver(
  deps: Deps,
  path: string,
  { resolve = [] }: { resolve?: string[] },
): Promise<void> {
  const [program] = resolve;
  if (program === undefined) return;
  const found = await findProgram(program, { root: dirname(path), path: deps.env["PATH"] });
  if (found !== undefined) return;
  const what = `merge_queue.resolve: there is no program ${program} here`;
  deps.stderr(`warning: ${what}; without it every conflict goes back to its author\n`);
}

/** What `pawl init` and the doctor say, too. */
async function warnOfScript(
  { env, stderr }: Deps,
  path: string,
  { target, agent }: { target: string; agent: { command: readonly string[] } },
): Promise<void> {
  const root = dirname(path);
  const ports = detectPorts({ cwd: root, env });
  const left = await scriptLeftOut(ports, { root, target, command: agent.command });
  if (left === undefined) return;
  const what = `agent.command runs ${left.script}, which is not on ${target}`;
  stderr(`warning: ${what}: commit it there, because agents work in clones of that branch\n`);
}

function warnOfWalls({ env, stderr }: Deps, config: Parameters<typeof hiddenInside>[0]): void {
  const machine = { home: env["HOME"] ?? "/", path: env["PATH"] ?? "" };
  const hidden = hiddenInside(config, machine);
  if (hidden.length > 0) stderr(`warning: ${hiddenText(hidden)}\n`);
}

type Shown = { key: string; value: string; from: "pawl.toml" | "default" };

async function show(deps: Deps, { json }: Json): Promise<void> {
  const { path, text } = findConfig(deps.cwd);
  const document = parseToml(text, path);
  if (document.kind === "invalid") throw usage(formatProblems(document.problems));
  if (json !== true) await sayNotInForce(deps, dirname(path));
  const rows = configKeys().flatMap((key) => shownOf(key, document.root));
  const yours = ({ from }: Shown): number => (from === "pawl.toml" ? 0 : 1);
  const columns = [
    { title: "key", tty: ({ key }: Shown) => key },
    { title: "value", tty: ({ value }: Shown) => value, widthMin: 10 },
    { title: "from", tty: ({ from }: Shown) => from },
  ];
  const sorted = rows.filter(isUsed(rows)).toSorted((a, b) => yours(a) - yours(b));
  const whole = { value: "`pawl config explain KEY` shows a default whole" };
  printRows(deps, sorted, { columns, json, empty: "nothing is set", whole });
}

/** Defaults of agents that no key of yours names change nothing here. */
function isUsed(rows: readonly Shown[]): (row: Shown) => boolean {
  const named = rows.flatMap(({ value, from }) => (from === "pawl.toml" ? [value] : [])).join(" ");
  return ({ key, from }) => {
    const agent = /^agent\.([a-z-]+)\./.exec(key)?.[1];
    return from === "pawl.toml" || agent === undefined || named.includes(`"${agent}"`);
  };
}

/** Keys in lists and in tables that the user names are shown where they are written. */
function shownOf({ key, assumed, otherwise }: ConfigKey, root: unknown): Shown[] {
  const written = valuesAt(root, key.split("."), "");
  if (written.length > 0) return written.map((one) => ({ ...one, from: "pawl.toml" as const }));
  const isInList = key.includes("[]") || key.includes(".NAME.");
  const value = assumed ?? otherwise;
  return value === undefined || isInList ? [] : [{ key, value, from: "default" }];
}

function valuesAt(node: unknown, path: string[], at: string): { key: string; value: string }[] {
  const [name, ...rest] = path;
  if (name === undefined)
    return node === undefined ? [] : [{ key: at, value: JSON.stringify(node) }];
  if (typeof node !== "object" || node === null) return [];
  const table = node as Record<string, unknown>;
  const below = (key: string): string => (at === "" ? key : `${at}.${key}`);
  if (name === "NAME")
    return Object.keys(table).flatMap((key) => valuesAt(table[key], rest, below(key)));
  if (!name.endsWith("[]")) return valuesAt(table[name], rest, below(name));
  const list = table[name.slice(0, -2)];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) =>
    valuesAt(item, rest, below(`${name.slice(0, -1)}${index}]`)),
  );
}

function explain(deps: Deps, wanted: string | undefined, { json }: Json): void {
  const all = configKeys();
  const plain = (key: string): string => key.replaceAll("[]", "");
  const found = all.filter(
    ({ key }) =>
      wanted === undefined || plain(key) === plain(wanted) || isInside(plain(key), wanted),
  );
  if (found.length === 0) throw unknownKey(wanted ?? "", all);
  if (json === true) printJson(deps, found);
  else if (wanted === undefined) listKeys(deps, found);
  else deps.stdout(wrapped(deps, found.map((key) => `${textOf(key)}\n`).join("\n")));
}

/** The whole texts of all keys are more than a thousand lines. */
function listKeys(deps: Deps, keys: ConfigKey[]): void {
  const columns = [
    { title: "key", tty: ({ key }: ConfigKey) => key },
    { title: "meaning", tty: ({ meaning }: ConfigKey) => meaning, widthMin: 20 },
  ];
  printRows(deps, keys, { columns, json: undefined, empty: "there are no keys" });
  deps.stderr("`pawl config explain KEY` shows its default and an example\n");
}

const isInside = (key: string, section: string): boolean =>
  key.startsWith(`${section.replaceAll("[]", "")}.`);

function unknownKey(wanted: string, all: ConfigKey[]) {
  const near =
    nearest(
      wanted,
      all.map(({ key }) => key),
    ) ?? homeOf(wanted, all);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return usage(`pawl.toml has no key ${wanted}${meant}`, "`pawl config explain` lists every key");
}

const homeOf = (name: string, all: ConfigKey[]): string | undefined =>
  all.find(({ key }) => key.endsWith(`.${name}`))?.key;

function textOf({
  key,
  meaning,
  type,
  assumed,
  otherwise,
  example,
  ...required
}: ConfigKey): string {
  const indented = example.replaceAll("\n", "\n           ");
  return [
    key,
    `  meaning: ${meaning}`,
    `  value:   ${type}`,
    `  ${requirement(required, otherwise) ?? `default: ${assumed ?? otherwise ?? "none"}`}`,
    `  example: ${indented}`,
  ].join("\n");
}

/** Some keys take "none" as a value: of a required key it is not said that its default is none. */
function requirement(
  { isRequired, requiredIn }: Pick<ConfigKey, "isRequired" | "requiredIn">,
  otherwise: string | undefined,
): string | undefined {
  if (!isRequired) return undefined;
  const where = requiredIn === undefined ? "you must set it" : `required ${requiredIn}`;
  return [`no default: ${where}`, ...(otherwise === undefined ? [] : [otherwise])].join("; ");
}
