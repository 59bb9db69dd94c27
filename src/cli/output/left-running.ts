// What `pawl down` and Ctrl-C of `pawl run` say of agents when Pawl has ended: an agent that it was
// still to start does not run.
import type { AgentView } from "../../api/agents.ts";
import { hasEnded } from "../has-ended.ts";

export function leftText(agents: readonly AgentView[]): string {
  const running = agents.some(isRunning) ? "agents keep running" : "no agent was running";
  return [running, ...startingText(agents, "pawl up")].join("; ");
}

/** After Ctrl-C. */
export const STOPS = "Pawl stops";

/** `what`: who ended Pawl. Which agents keep running, what continues their work, and what ends them. */
export function leavingText(all: readonly AgentView[], what: string = STOPS): string {
  // Without Pawl's own row.
  const agents = all.filter(({ run }) => run !== null);
  const running = agents.filter(isRunning).map(({ identity }) => identity);
  const starting = startingText(agents, "pawl run");
  if (running.length === 0) {
    const next = starting.length === 0 ? " `pawl run` continues." : "";
    return `${what}; ${["no agent is running", ...starting].join("; ")}.${next}`;
  }
  const [keep, them] =
    running.length === 1 ? ["1 agent keeps", "it"] : [`${running.length} agents keep`, "them"];
  return [
    `${what}; ${[`${keep} running: ${running.join(", ")}`, ...starting].join("; ")}.`,
    `\`pawl run\` or \`pawl up\` adopts ${them}, \`pawl down --kill-agents\` saves the work and ends ${them}.`,
  ].join("\n");
}

const isRunning = ({ status, pid }: AgentView): boolean =>
  status === "active" && pid !== null && !hasEnded(pid);

function startingText(agents: readonly AgentView[], command: string): string[] {
  const names = agents.filter(({ status }) => status === "starting").map(nameOf);
  const start = names.length === 1 ? "starts" : "start";
  return names.length === 0 ? [] : [`${names.join(", ")} ${start} with the next \`${command}\``];
}

/** As people type it: the number of its issue, or the identity of a task. */
const nameOf = ({ bead_id: ref, identity }: AgentView): string =>
  ref !== null && /^\d+$/.test(ref) ? `#${ref}` : identity;
