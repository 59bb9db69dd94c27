// `pawl attach REF`: sits down at an agent's terminal.
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { usage } from "../options.ts";

const EXAMPLES = `
Example:
  pawl attach 7              leave with Ctrl-b d; the agent goes on

While somebody is attached, Pawl neither nudges nor restarts nor ends the session.`;

export const addAttach: AddCommand = (program, { deps, finish }) => {
  program
    .command("attach")
    .description("sit down at an agent's terminal")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .action((ref) => attach(deps(), ref, finish))
    .addHelpText("after", EXAMPLES);
};

async function attach(deps: Deps, ref: string, finish: Finish): Promise<void> {
  if (!deps.isTty) {
    throw usage("cannot attach: stdout is no terminal", `\`pawl logs ${ref}\` shows what it wrote`);
  }
  const path = `/v1/runs/${encodeURIComponent(ref)}/attach`;
  const { argv } = await deps.client.get<{ argv: string[] }>(path);
  const code = await deps.runInTerminal(argv);
  finish(code === 0 ? EXIT.ok : EXIT.failed);
}
