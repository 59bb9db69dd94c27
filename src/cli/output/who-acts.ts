// A person's command is recorded at once and carried out by the running daemon. If none runs, the
// output says so.
import type { Deps } from "../deps.ts";
import { isRestarting } from "./restarting.ts";

export async function noteWhoActs(deps: Deps, ways = "`pawl up` or `pawl run`"): Promise<void> {
  // Scripts that add a hundred issues need no hundred reminders.
  if (!deps.isTty || isRestarting(deps) || (await deps.client.daemonRuns())) return;
  deps.stderr(`no daemon is running: ${ways} starts the work\n`);
}
