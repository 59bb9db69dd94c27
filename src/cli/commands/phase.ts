// `pawl phase NAME`: an agent says how far it is, with fewer mistakes than by hand.
import { PHASE_WORDS } from "../../api/words.ts";
import { Option } from "@commander-js/extra-typings";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { usage } from "../options.ts";
import { ownFile } from "../own-session.ts";

const EXAMPLES = `
Examples:
  git commit -am "Add the parser" && pawl phase awaiting_ci
  pawl phase escalate --reason "Which of the two formats is meant?"
  pawl phase failed --reason "the API has no such call"
  pawl phase failed --refused too_large --reason "split it by table"
  pawl phase failed --refused unmet_dependency --blocked-by 12 --reason "see 12"

Write the phase last, after commits and all other side effects of the step.`;

export const addPhase: AddCommand = (program, { deps }) => {
  program
    .command("phase")
    .description("for agents: report the phase of the work")
    .argument("<name>", PHASE_WORDS.join(", "))
    .option("--reason <text>", "why; a person reads it")
    .addOption(
      new Option("--refused <why>", "with failed: why you refuse the issue").choices([
        "too_large",
        "unmet_dependency",
        "already_done",
      ] as const),
    )
    .option("--blocked-by <issues...>", "with --refused unmet_dependency: the issue to wait for")
    .action((name, options) => writePhase(deps(), name, options))
    .addHelpText("after", EXAMPLES);
};

type Options = {
  reason?: string | undefined;
  refused?: string | undefined;
  blockedBy?: string[] | undefined;
};

async function writePhase(deps: Deps, name: string, options: Options): Promise<void> {
  const word = name.replace(/^PHASE:/, "");
  if (!PHASE_WORDS.includes(word)) {
    throw usage(`"${name}" is not a phase`, `one of: ${PHASE_WORDS.join(", ")}`);
  }
  const path = ownFile(deps, "PAWL_PHASE_FILE");
  const refused = options.refused !== undefined;
  if (refused) await writeRefusal(deps, word, options);
  const reason = refused ? "refused" : options.reason;
  const second = reason === undefined ? "" : `Reason: ${reason}\n`;
  const temporary = `${path}.${deps.newKey()}.tmp`;
  await deps.putText({ temporary, path, text: `PHASE:${word}\n${second}` });
  deps.stderr(`PHASE:${word}\n`);
}

/** Before the phase, which is read last. */
async function writeRefusal(deps: Deps, word: string, options: Options): Promise<void> {
  const { refused: kind, reason, blockedBy } = options;
  if (word !== "failed") throw usage("--refused needs the phase failed");
  if (kind === "unmet_dependency" && blockedBy === undefined) {
    throw usage("--refused unmet_dependency needs --blocked-by with the issues it waits for");
  }
  const path = ownFile(deps, "PAWL_RESULT_FILE");
  const said = { kind, reason, blocked_by: blockedBy, suggestion: reason };
  const temporary = `${path}.${deps.newKey()}.tmp`;
  await deps.putText({ temporary, path, text: `${JSON.stringify(said)}\n` });
}
