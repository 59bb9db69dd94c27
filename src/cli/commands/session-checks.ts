// `pawl tmux-status-check` and `pawl heartbeat-check`: one look at a session.
import { csvLine } from "../../lib/csv.ts";
import type { AddCommand } from "../command.ts";
import { EXIT } from "../deps.ts";
import { checking, openPlaceFor } from "../monitoring-door.ts";
import { inMinutes } from "./monitor-session.ts";

const STATUS_HELP = `
Prints status,todos_done,todos_total,active_task,wait_estimate,session_state. While the time on the
session's statusline advances between two checks it is never called stuck. To wait for the end use
\`pawl monitor-session\`; this is for a single look.`;

const HEARTBEAT_HELP = `
Prints status,cpu,pid,prompt. The CPU is that of the whole process tree, measured for half a second.`;

export const addTmuxStatusCheck: AddCommand = (program, { deps, finish }) => {
  program
    .command("tmux-status-check")
    .description("one look at a session, as CSV")
    .argument("[name]")
    .option(
      "--full",
      "when the session has ended, print the output file instead of the task",
      false,
    )
    .addOption(inMinutes("--stuck-after <minutes>", "stuck means: no progress for this long", 15))
    .option("--project-root <folder>", "the project, if it is not the current one")
    .addHelpText("after", STATUS_HELP)
    .action(async (name, { full, stuckAfter, projectRoot }) => {
      const at = deps();
      if (name === undefined) {
        at.stdout("error,0,0,no_session,30,error\n");
        finish(EXIT.failed);
        return;
      }
      const { checkStatus } = await checking();
      const place = await openPlaceFor(at, projectRoot);
      const row = await checkStatus(place, { name, full, stuckAfterMs: stuckAfter });
      at.stdout(`${csvLine(Object.values(row))}\n`);
    });
};

export const addHeartbeatCheck: AddCommand = (program, { deps }) => {
  program
    .command("heartbeat-check")
    .description("what a session's processes use right now, as CSV")
    .argument("[name]")
    .option("--agent <name>", "accepted for compatibility, and ignored")
    .addHelpText("after", HEARTBEAT_HELP)
    .action(async (name) => {
      const at = deps();
      if (name === undefined) {
        at.stdout("error,0.0,0,no_session\n");
        return;
      }
      const { checkHeartbeat } = await checking();
      const { status, cpu, pid, prompt } = await checkHeartbeat(await openPlaceFor(at), name);
      at.stdout(`${csvLine([status, cpu.toFixed(1), pid, prompt])}\n`);
    });
};
