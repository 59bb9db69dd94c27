// What would keep a project's agent from working, said to a person before it starts: its program is
// missing, too old or not signed in. The doctor knows; asking it starts the agent's program once or
// twice, so it is asked only where a person reads the answer.
import type { DoctorView } from "../../api/doctor.ts";
import type { Client } from "../client.ts";
import type { Deps } from "../deps.ts";
import { harmless, paint } from "./text.ts";

/** `client`: for a command that shows a screen of its own while it waits. */
export async function warnOfAgent(
  deps: Pick<Deps, "client" | "colour" | "stderr" | "stderrColumns">,
  project: string,
  client: Pick<Client, "get"> = deps.client,
): Promise<void> {
  if (deps.stderrColumns() === 0) return;
  const path = `/v1/doctor?agent_of=${encodeURIComponent(project)}`;
  const { checks } = await client.get<DoctorView>(path);
  for (const { what, hint, note, unanswered } of checks.flatMap(({ troubles }) => troubles)) {
    // A busy machine is no fault of the agent's.
    if (note === true || unanswered === true) continue;
    deps.stderr(`  ${paint(deps, "yellow", "warning:")} ${harmless(what)}\n`);
    if (hint !== null) deps.stderr(`  ${paint(deps, "dim", `hint: ${harmless(hint)}`)}\n`);
  }
}
