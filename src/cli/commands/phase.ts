// `pawl phase NAME`: an agent says how far it is, with fewer mistakes than by hand.
import { PHASE_WORDS } from "../../api/words.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { usage } from "../options.ts";
import { ownFile } from "../own-session.ts";

const EXAMPLES = `
Examples:
  git commit -am "Add the parser" && pawl phase awaiting_ci
  pawl phase escalate --reason "Which of the two formats is meant?"
  pawl phase failed --reason "the API has no such call"

It is the last thing of a step, after commits and every other side effect.`;

export const addPhase: AddCommand = (program, { deps }) => {
  program
    .command("phase")
    .description("for agents: say how far the work is")
    .argument("<name>", PHASE_WORDS.join(", "))
    .option("--reason <text>", "why; a person reads it")
    .action((name, options) => writePhase(deps(), name, options.reason))
    .addHelpText("after", EXAMPLES);
};

async function writePhase(deps: Deps, name: string, reason: string | undefined): Promise<void> {
  const word = name.replace(/^PHASE:/, "");
  if (!PHASE_WORDS.includes(word)) {
    throw usage(`"${name}" is not a phase`, `one of: ${PHASE_WORDS.join(", ")}`);
  }
  const path = ownFile(deps, "PAWL_PHASE_FILE");
  const second = reason === undefined ? "" : `Reason: ${reason}\n`;
  const temporary = `${path}.${deps.newKey()}.tmp`;
  await deps.putText({ temporary, path, text: `PHASE:${word}\n${second}` });
  deps.stderr(`PHASE:${word}\n`);
}
