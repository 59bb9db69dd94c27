// What `pawl down` says of agents when the daemon has ended: an agent that it was still to start
// does not run.
import type { AgentView } from "../../api/agents.ts";
import { hasEnded } from "../has-ended.ts";

export function leftText(agents: readonly AgentView[]): string {
  const isRunning = agents.some(
    ({ status, pid }) => status === "active" && pid !== null && !hasEnded(pid),
  );
  const waiting = agents.filter(({ status }) => status === "starting").map(nameOf);
  const parts = [
    isRunning ? "agents keep running" : "no agent was running",
    ...(waiting.length === 0
      ? []
      : [
          `${waiting.join(", ")} ${waiting.length === 1 ? "starts" : "start"} with the next \`pawl up\``,
        ]),
  ];
  return parts.join("; ");
}

/** As people type it: the number of its issue, or the identity of a task. */
const nameOf = ({ bead_id: ref, identity }: AgentView): string =>
  ref !== null && /^\d+$/.test(ref) ? `#${ref}` : identity;
