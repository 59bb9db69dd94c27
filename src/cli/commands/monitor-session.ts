// `pawl monitor-session`: waits until a session's verdict is known, and says it.
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { csvLine } from "../../lib/csv.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type ExitCode } from "../deps.ts";
import { monitoring, openPlaceFor } from "../monitoring-door.ts";
import { positiveCount } from "../options.ts";
import { requireState } from "../state-option.ts";

const EXAMPLES = `
Examples:
  pawl monitor-session "$name" --json --workflow create --story-key 5.3
  pawl monitor-session "$name" --timeout 90 --exit-code || echo retry

It returns within a moment of the session's end, not at the next poll. final_state is one of
completed, crashed, stuck, timeout, incomplete, not_found; the exit code is 0 for all of them
unless --exit-code is given: 0, 11, 12, 13, 10, 14.
If it is killed, nothing is lost: call it again.`;

const MINUTE_MS = 60_000;
/** What one poll of the original waits at most. */
const POLL_MS = 2 * MINUTE_MS;

const CODES: Record<string, ExitCode> = {
  completed: EXIT.ok,
  incomplete: EXIT.incomplete,
  crashed: EXIT.crashed,
  stuck: EXIT.stuck,
  timeout: EXIT.timeout,
  not_found: EXIT.notFound,
};

export const addMonitorSession: AddCommand = (program, { deps, finish }) => {
  program
    .command("monitor-session")
    .description("wait for a session's verdict")
    .argument("<name>", "what `tmux-wrapper spawn` printed")
    .option("--max-polls <n>", "give up after n times 2 minutes", positiveCount)
    .addOption(inMinutes("--timeout <minutes>", "give up after this long", 60))
    .addOption(inMinutes("--stuck-after <minutes>", "stuck means: no progress for this long", 15))
    .option("--verbose", "report progress on stderr", false)
    .option("--json", "print JSON instead of CSV", false)
    .option("--exit-code", "also report the verdict as the exit code", false)
    .option("--workflow <step>", "the step whose verifier decides (default: the session's own)")
    .option("--story-key <key>", "the story (default: the session's own)")
    .option(
      "--state-file <file>",
      "the orchestration's state document; its policy must be unchanged",
    )
    .option("--project-root <folder>", "the project, if it is not the current one")
    .option("--agent <name>", "accepted for compatibility, and ignored")
    .option("--initial-wait <seconds>", "accepted for compatibility, and ignored")
    .addHelpText("after", EXAMPLES)
    .action(async (name, options) => {
      const at = deps();
      await requireState(at, options.stateFile, options.projectRoot);
      const { monitorSession } = await monitoring();
      const polls = options.maxPolls;
      const result = await monitorSession(await openPlaceFor(at, options.projectRoot), {
        name,
        timeoutMs: options.timeout,
        pollsEndMs: polls === undefined ? undefined : polls * POLL_MS,
        stuckAfterMs: options.stuckAfter,
        workflow: options.workflow,
        storyKey: options.storyKey,
        progress: options.verbose ? (line) => at.stderr(`${line}\n`) : undefined,
      });
      const { final_state, todos_done, todos_total, output_file, exit_reason } = result;
      const csv = csvLine([final_state, todos_done, todos_total, output_file, exit_reason]);
      at.stdout(`${options.json ? JSON.stringify(result) : csv}\n`);
      if (options.exitCode) finish(CODES[final_state] ?? EXIT.failed);
    });
};

/** Its default is shown as it would be typed. */
export const inMinutes = <const Flags extends string>(
  flags: Flags,
  description: string,
  otherwise: number,
) =>
  new Option(flags, description)
    .argParser(minutes)
    .default(otherwise * MINUTE_MS, String(otherwise));

function minutes(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number * MINUTE_MS;
  throw new InvalidArgumentError("It must be a number of minutes.");
}
