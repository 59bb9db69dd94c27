// `pawl nudge SESSION TEXT`: tells an agent to start or continue, as a message like any other.
import type { RunView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import { harmless } from "../output/text.ts";

export const addNudge: AddCommand = (program, { deps }) => {
  program
    .command("nudge")
    .description("tell an agent to start or continue")
    .argument("<ref>", "an identity, an issue, a PR, a branch or a run")
    .argument("[text]", "the message", "Begin.")
    .addHelpText("after", '\nExample:\n  pawl nudge dev-7 "Begin."')
    .action(async (ref, text) => {
      const own = deps();
      const path = `/v1/runs/${encodeURIComponent(ref)}/nudge`;
      const run = await own.client.post<RunView>(path, { by: own.user, text });
      const isServed = await own.client.daemonRuns();
      own.stderr(
        isServed
          ? `nudged ${run.identity}: ${harmless(run.doing)}\n`
          : `${run.identity} gets it as soon as a daemon runs: start one with \`pawl up\` or \`pawl run\`\n`,
      );
    });
};
