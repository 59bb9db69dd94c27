// The pages of the reference as texts, made from the schema of pawl.toml and from the commands
// themselves. A test compares them with docs/reference.
import type { Command, Option } from "@commander-js/extra-typings";
import { GROUPS, COMMANDS } from "../../src/cli/registry.ts";
import { afterHelp } from "../../src/cli/output/help.ts";
import { loadProgram } from "../../src/cli/program.ts";
import { VERSION } from "../../src/cli/version.ts";
import { configKeys, type ConfigKey } from "../../src/config/keys.ts";
import { RUNTIMES } from "../../src/adapters/runtimes.ts";
import { ABILITIES, lacking, type Ability, type AbilityName } from "../../src/ports/runtime.ts";

const MADE = "<!-- Made by `node scripts/reference.ts`; a test compares it. -->";

/** Nothing was released before this version, so that every key is as old as it. */
const SINCE = VERSION;

export function configPage(): string {
  const sections = Map.groupBy(configKeys(), ({ key }) => key.split(/[.[]/)[0] ?? "");
  const parts = [...sections].map(([section, keys]) => {
    return [`## ${section}`, ...keys.map(keyText)].join("\n\n");
  });
  return [
    "# Reference of pawl.toml",
    MADE,
    `Every key, with its meaning, its default and an example. \`pawl config explain KEY\` shows the same, \`pawl config show\` the values in force, and \`pawl config check\` finds mistakes. \`NAME\` is a name that you choose; \`[]\` is a list of tables. Durations are written as \`"30 s"\`, \`"10 min"\`, \`"2 h"\` or \`"7 d"\`. All keys have existed since version ${SINCE}.`,
    ...parts,
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

function keyText({
  key,
  meaning,
  type,
  isRequired,
  requiredIn,
  assumed,
  otherwise,
  example,
}: ConfigKey): string {
  const where = requiredIn === undefined ? "Required" : `Required ${requiredIn}`;
  const without = isRequired
    ? `${[where, ...(otherwise === undefined ? [] : [otherwise])].join("; ")}.`
    : `Default: ${assumed === undefined ? (otherwise ?? "none") : `\`${assumed}\``}.`;
  return [
    `### \`${key}\``,
    [sentence(meaning), `Value: ${type}.`, without].filter((part) => part !== "").join(" "),
    `\`\`\`toml\n${example}\n\`\`\``,
  ].join("\n\n");
}

export function agentsPage(): string {
  const runtimes = RUNTIMES.filter(({ abilities }) => abilities !== undefined);
  const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  const rows = Object.entries(ABILITIES).map(([name, title]) =>
    row([title, ...runtimes.map(({ abilities }) => abilityText(abilities?.[name as AbilityName]))]),
  );
  const names = runtimes.map(({ name }) => `\`${name}\``);
  return [
    "# What each agent can do",
    MADE,
    "The runtimes that `[agent] runtime` names, and what Pawl can do with each. A dash means that the agent cannot do this; `pawl status` says so before the agent starts. The runtime `command` starts any program; what Pawl can do with it depends on what it reports ([docs/agents.md](../agents.md)).",
    [row(["", ...names]), row(["", ...names].map(() => "---")), ...rows].join("\n"),
    ...runtimes.map(({ name, title, guide, abilities }) =>
      [
        `## \`${name}\`: ${title}`,
        ...lacking(abilities).map((one) => `- ${sentence(one)}`),
        guide === undefined ? "" : `[More about it](../${guide.replace("docs/", "")}).`,
      ]
        .filter((part) => part !== "")
        .join("\n\n")
        .replaceAll("\n\n- ", "\n- ")
        .replace("\n- ", "\n\n- "),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

const abilityText = (ability: Ability | undefined): string =>
  ability !== undefined && "yes" in ability ? ability.yes : "–";

const sentence = (text: string): string => (text === "" || text.endsWith(".") ? text : `${text}.`);

export async function commandsPage(): Promise<string> {
  const program = await loadProgram({
    version: VERSION,
    commands: COMMANDS,
    stdout: () => undefined,
    stderr: () => undefined,
    deps: () => {
      throw new Error("nothing is run here");
    },
  });
  const groups = GROUPS.map((group) => {
    const names = COMMANDS.filter((one) => one.group === group && one.shown !== "never");
    const commands = names.map(({ name }) => {
      return program.commands.find((one) => one.name() === name) as unknown as Command;
    });
    return [
      `## ${group[0]?.toUpperCase()}${group.slice(1)}`,
      ...commands.flatMap((one) => commandTexts(one, [])),
    ];
  });
  return [
    "# Reference of all commands",
    MADE,
    `Every command for people, with what \`pawl COMMAND --help\` says. [What a session may do](../agents.md#what-a-session-may-do) lists the commands for agents, [monitoring](../monitoring.md) those for scripts. Every command also takes \`--project NAME\`, \`--as ACCOUNT\` and \`--help\`. All commands have existed since version ${SINCE}.`,
    ...groups.flat(),
  ]
    .join("\n\n")
    .concat("\n");
}

function commandTexts(command: Command, above: string[]): string[] {
  const path = [...above, command.name()];
  const subcommands = (command.commands as unknown as Command[]).filter((one) => !isHidden(one));
  if (subcommands.length > 0) return subcommands.flatMap((one) => commandTexts(one, path));
  const typed = command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? "..." : ""}`;
    return one.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.filter(({ hidden }) => !hidden);
  return [
    `### \`pawl ${[...path, ...typed].join(" ")}\``,
    sentence(capital(command.description())),
    ...(options.length === 0 ? [] : [options.map(optionText).join("\n")]),
    ...exampleText(afterHelp(command)),
  ];
}

function optionText({ flags, description, argChoices = [], defaultValue }: Option): string {
  const text = `- \`${flags}\`: ${description}`;
  if (argChoices.length === 0) return text;
  const values = argChoices.map((one) => `\`${one}\``);
  // Not twice, where the description already explains each.
  const isTold = values.every((one) => description.includes(one));
  const facts = [
    ...(isTold ? [] : [values.join(", ")]),
    ...(typeof defaultValue === "string" ? [`default: \`${defaultValue}\``] : []),
  ];
  return facts.length === 0 ? text : `${text} (${facts.join("; ")})`;
}

const isHidden = (command: Command): boolean =>
  (command as unknown as { _hidden?: boolean })._hidden === true;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function exampleText(help: string): string[] {
  const [, rest = ""] = help.split(/^Examples?:\n/m);
  const lines = rest.split("\n");
  const end = lines.findIndex((line) => line.trim() === "");
  const examples = (end === -1 ? lines : lines.slice(0, end)).map((line) =>
    line.replace(/^ {2}/, ""),
  );
  return examples.length === 0 ? [] : [`\`\`\`text\n${examples.join("\n")}\n\`\`\``];
}
