// `--state-file` of the monitoring commands. Where it is left out, STORY_AUTOMATOR_STATE_FILE or the
// marker names it; a document that cannot be trusted stops the command, and is never ignored.
import type { Deps } from "./deps.ts";
import { openPlaceFor, stateFiles } from "./monitoring-door.ts";
import { usage } from "./options.ts";

/** What is wrong with the state document, where one is meant. */
export async function stateProblem(
  deps: Deps,
  stateFile: string | undefined,
  projectRoot?: string,
): Promise<string | undefined> {
  const place = await openPlaceFor(deps, projectRoot);
  const state = await (await stateFiles()).stateFileOf(place, stateFile);
  return state.kind === "invalid" ? state.error : undefined;
}

/** For commands that have no answer but a name: only what was said is looked at. */
export async function requireState(
  deps: Deps,
  stateFile: string | undefined,
  projectRoot?: string,
): Promise<void> {
  if (stateFile === undefined || stateFile === "") return;
  const problem = await stateProblem(deps, stateFile, projectRoot);
  if (problem !== undefined) throw usage(`cannot use --state-file ${stateFile}: ${problem}`);
}
