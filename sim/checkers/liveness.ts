// Liveness: once faults stop, every run ends within its deadlines. Says what did not.
import type { Run } from "../../src/core/run/run.ts";
import { LABELS, type Issue } from "../../src/core/issue.ts";
import { isCleared, waitsFor } from "../seen.ts";
import type { SimProject, World } from "../world.ts";

export async function describeUnfinished(world: World): Promise<string> {
  const lines: string[] = [];
  for (const { state } of await world.store.aggregates()) {
    if (state.kind === "run" && !isCleared(state)) lines.push(describeRun(state));
    if (state.kind === "formula" && state.outcome === undefined) {
      const steps = Object.entries(state.steps).map(([id, { kind }]) => `${id} ${kind}`);
      lines.push(`formula ${state.project}/${state.id}: ${steps.join(", ")}`);
    }
    if (state.kind === "action" && state.stage.kind !== "ended") {
      lines.push(`action ${state.project}/${state.issue} is ${state.stage.kind}`);
    }
    if (state.kind === "gate" && state.closed === undefined) {
      lines.push(`gate ${state.project}/${state.id} (${state.spec.kind}) is open: ${state.seen}`);
    }
    if (state.kind === "queue" && state.entries.length > 0) {
      const still = state.paused ?? state.stop;
      const paused = still === undefined ? "" : ` (paused: ${still.why})`;
      lines.push(`the queue of ${state.project} has ${state.entries.length} entries${paused}`);
    }
  }
  for (const project of world.projects.values()) lines.push(...openWork(project));
  for (const row of await world.store.outbox()) {
    lines.push(`${row.key} waits, tried ${row.attempts} times`);
  }
  return `this did not come to an end:\n  ${lines.join("\n  ")}`;
}

/** Issues that still need work, or that were abandoned. */
export function openWork(project: SimProject): string[] {
  const { forge, name, unsettled } = project;
  return [...forge.issueByNumber.values()].flatMap((issue) => {
    const { number, state, labels } = issue;
    if (state === "closed" || labels.includes(LABELS.blocked) || unsettled.has(number)) return [];
    // A follow-up of a review that was not requested yet, or an issue that an agent found too
    // large.
    const idle: string[] = [LABELS.techDebt, LABELS.underspecified, LABELS.priority];
    if (labels.every((label) => idle.includes(label))) return [];
    // What roles left for people to decide.
    const isGoal = (label: string): boolean => /^(?:vision$|prediction\/)/.test(label);
    if (labels.some(isGoal)) return [];
    // Agents say of any issue that it waits for the first one.
    const waits = number !== 1 && forge.issueByNumber.get(1)?.state === "open";
    if (waits || !isReady(project, issue)) return [];
    return [`#${number} of ${name} is ${labels.join(", ")}`];
  });
}

/** Nothing that it depends on is open. */
export const isReady = ({ forge }: SimProject, { body }: Issue): boolean =>
  waitsFor(body).every((other) => forge.issueByNumber.get(other)?.state !== "open");

function describeRun(run: Run): string {
  const { session, stage } = run;
  const open = run.messages.filter((message) => message.status !== "acknowledged");
  return [
    `${run.project}/${run.id} is ${stage.kind}`,
    `session ${session?.epoch ?? 0} ${session?.status ?? "none"} (${session?.verdict ?? "no verdict"})`,
    `phase ${run.phase?.phase ?? "none"}`,
    `messages ${open.map(({ id, kind, status }) => `${id} ${kind} ${status}`).join(", ")}`,
    ...(run.stopped === undefined ? [] : ["stopped"]),
    ...(run.held === undefined ? [] : ["held"]),
  ].join(", ");
}
