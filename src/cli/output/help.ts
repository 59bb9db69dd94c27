// Help in groups: what a person needs at first, and everything with `pawl help --all`. Every verb
// shows examples: its own, or those of its noun that call it.
import type { Command } from "@commander-js/extra-typings";
import { MORE_EXAMPLES } from "./more-examples.ts";
import { GROUPS, type Registered } from "../registry.ts";

const COMMON = `
\`pawl COMMAND --help\` explains a command.
Results go to stdout, all else to stderr.
Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 daemon unreachable, 4 not allowed,
8 waits for a person.`;

export const FIRST_WORDS = `
Examples:
  pawl demo                                see it work, in a scratch repository
  pawl init                                set up the repository you are in
  pawl issue add --title "Fix the parser"  ask for something
  pawl run                                 work on it, and watch

These are the everyday commands; \`pawl help --all\` lists the rest.${COMMON}`;

export const ALL_WORDS = `
Not listed: \`pawl phase\`, which only agents type, and the commands of scripts
that watch sessions, such as \`pawl monitor-session\` (docs/monitoring.md).${COMMON}`;

export const inGroups = (commands: readonly Registered[]): Registered[] =>
  commands.toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));

/** `Start:`, as the other headings of help are written. */
export const headingOf = ({ group }: Registered): string =>
  `${group.charAt(0).toUpperCase()}${group.slice(1)}:`;

/** Commands without examples of their own get those lines of their noun that call them. */
export function shareExamples(command: Command, path: string[] = [command.name()]): void {
  const subcommands = command.commands as unknown as Command[];
  for (const sub of subcommands) shareExamples(sub, [...path, sub.name()]);
  if (subcommands.length > 0 || HAS_EXAMPLES.test(afterHelp(command))) return;
  const listed = MORE_EXAMPLES[path.join(" ")];
  const lines = listed === undefined ? examplesOf(command, path) : [`  ${listed}`];
  if (lines.length > 0) command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

const HAS_EXAMPLES = /^Examples?:$/m;

function examplesOf(command: Command, path: string[]): string[] {
  const start = `  pawl ${path.join(" ")}`;
  return afterHelp(command.parent as Command)
    .split("\n")
    .filter((line) => line === start || line.startsWith(`${start} `));
}

/** What help writes below the options. */
export function afterHelp(command: Command): string {
  let text = "";
  const write = (part: string): void => void (text += part);
  // Commander's types leave out that a command emits its help texts as events.
  const emitter = command as unknown as { emit: (event: string, told: unknown) => void };
  emitter.emit("afterHelp", { error: false, command, write });
  return text;
}

// What is said to a person who typed a command wrong: the word that was misspelt, what a missing
// argument is, and which help explains it.

/** Commander's own, which its types leave out. */
type Complaints = {
  missingArgument: (name: string) => void;
  missingMandatoryOptionValue: (option: { flags: string }) => void;
  unknownOption: (flag: string) => void;
  unknownCommand: () => void;
  _excessArguments: (words: string[]) => void;
  _defaultCommandName: string | null;
};

export function explainMistakes(command: Command, above: string): void {
  const path = `${above} ${command.name()}`.trim();
  command.showHelpAfterError(`hint: \`${path} --help\` says what it takes`);
  const complaints = command as unknown as Complaints;
  const missingOption = complaints.missingMandatoryOptionValue.bind(complaints);
  complaints.missingArgument = (name) => {
    const about = command.registeredArguments.find((one) => one.name() === name)?.description;
    const what = about === undefined || about === "" ? "" : `: ${about}`;
    command.error(`error: missing required argument '${name}'${what}`);
  };
  complaints.missingMandatoryOptionValue = (option) => {
    // `--titel x`: the title is there, under another name.
    const misspelt = command.args.find((word) => word.startsWith("--"));
    if (misspelt !== undefined) complaints.unknownOption(misspelt);
    missingOption(option);
  };
  const tooMany = complaints._excessArguments.bind(complaints);
  complaints._excessArguments = (words) => {
    // `pawl page opne`: a misspelt verb, not an argument of the one that is meant without any.
    const parent = command.parent as unknown as (Complaints & { args: string[] }) | null;
    const isUnnamed = parent?._defaultCommandName === command.name();
    if (isUnnamed && parent.args[0] !== command.name()) parent.unknownCommand();
    tooMany(words);
  };
  for (const sub of command.commands as unknown as Command[]) explainMistakes(sub, path);
}

/** Commander calls what stands behind a command's name a command-argument. */
const BAD_ARGUMENT =
  /^error: command-argument value '(?<value>.*)' is invalid for argument '(?<name>.*)'\. It /s;

/** `unknown option '--session'`, and the words that commander takes it for. */
const GUESS =
  /^(?<unknown>error: unknown \w+ '(?:--)?(?<word>[^']*)')\n\(Did you mean (?:one of )?(?<guesses>[^?]*)\?\)/;

/**
 * Commander counts the letters that differ: `--session` is two away from `--version`. People who
 * mistype a word begin it with the right letter, unless that is all that is wrong.
 */
function isLikely(word: string, guess: string): boolean {
  const [first = "", second = ""] = word;
  const isOnlyTheFirst = [word, word.slice(1)].includes(guess.slice(1)) || guess === word.slice(1);
  return guess.startsWith(first) || guess.startsWith(second + first) || isOnlyTheFirst;
}

function withLikelyGuesses(text: string): string {
  const { unknown = "", word = "", guesses = "" } = GUESS.exec(text)?.groups ?? {};
  const all = guesses.split(", ");
  const likely = all.filter((guess) => isLikely(word, guess.replace(/^--/, "")));
  if (likely.length === all.length) return text;
  const one = likely.length > 1 ? "one of " : "";
  const meant = likely.length === 0 ? "" : `\n(Did you mean ${one}${likely.join(", ")}?)`;
  return text.replace(GUESS, () => `${unknown}${meant}`);
}

export const plainError = (text: string, program: string): string =>
  withLikelyGuesses(text)
    .replace(BAD_ARGUMENT, `${program}: '$1' is not valid for <$2>: it `)
    .replace(/^error: /, `${program}: `);
