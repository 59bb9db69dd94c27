// What a person wishes is written down at once, and carried out by whoever runs. Where nobody
// does, that is said.
import type { Deps } from "../deps.ts";

export async function noteWhoActs(deps: Deps, ways = "`pawl up` or `pawl run`"): Promise<void> {
  // Scripts that add a hundred issues need no hundred reminders.
  if (!deps.isTty || (await deps.client.daemonRuns())) return;
  deps.stderr(`no daemon runs: ${ways} goes to work\n`);
}
