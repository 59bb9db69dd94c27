// What runs ask of a person, with the command that settles it; of an agent that crashes at every start,
// also what its terminal said.
import type { WaitView } from "../../api/runs.ts";
import { isActive, isCrashLoop, isUnendable, type Run } from "../../core/run/run.ts";
import { refOf, shownRef, titleOf } from "../../core/run/work.ts";
import { causeClause, type Terminal } from "./crash-cause.ts";
import { needsPerson } from "./runs.ts";

export async function waitsOfRuns(
  runs: readonly Run[],
  terminal: Terminal | undefined,
): Promise<WaitView[]> {
  const asking = runs.filter((run) => isActive(run) || isUnendable(run));
  const waits = asking.map(async (run) => {
    const clause = await causeClause(run, terminal);
    return runWaits(run).map((wait) => ({ ...wait, why: `${wait.why}${clause}` }));
  });
  return (await Promise.all(waits)).flat();
}

function runWaits(run: Run): WaitView[] {
  const why = needsPerson(run);
  if (why === null) return [];
  const about = `${shownRef(run)} ${titleOf(run)}`;
  const isAsked = isActive(run) && run.stage.kind === "escalated";
  const command = answerTo(run);
  const wait: WaitView = { project: run.project, about, why, needs_you: true, command };
  if (isAsked) return [{ ...wait, question: true }];
  const isRetried = command?.startsWith("pawl retry ") === true;
  return [isRetried ? { ...wait, act: { kind: "retry", ref: run.id } } : wait];
}

function answerTo(run: Run): string | null {
  const ref = refOf(run);
  if (!isActive(run)) return null;
  if (isCrashLoop(run)) return `pawl retry ${ref}`;
  if (run.stage.kind === "escalated") return `pawl escalation answer ${ref} "…"`;
  if (run.stage.kind === "reviewing") return `pawl pr review ${run.pr ?? ref} --approve`;
  return `pawl retry ${ref}`;
}
