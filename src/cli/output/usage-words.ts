// What is said to a person who typed a command wrong: the word that was misspelt, what a missing
// argument is, and which help explains it.
import type { Command } from "@commander-js/extra-typings";

/** Commander's own, which its types leave out. */
type Complaints = {
  missingArgument: (name: string) => void;
  missingMandatoryOptionValue: (option: { flags: string }) => void;
  unknownOption: (flag: string) => void;
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
  for (const sub of command.commands as unknown as Command[]) explainMistakes(sub, path);
}
