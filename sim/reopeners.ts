// People who open issues again whose work landed: at once, or when they find out later that it does
// not do what they wanted.
import { LABELS } from "../src/core/issue.ts";
import type { ProjectName } from "../src/core/ids.ts";
import { issueIn } from "./seen.ts";
import type { World } from "./world.ts";

const ROUND_MS = 7 * 60_000;
const SOON_MS = 20_000;
/** What has just landed is looked at by many. */
const LOOKS = Array.from({ length: 8 });

export function startReopeners(world: World): void {
  if (world.faults.rate("reopen") === 0) return;
  const { clock, faults, listeners } = world;
  const landed = new Map<ProjectName, Set<number>>();

  function reopen(project: ProjectName, number: number): void {
    const { forge } = world.project(project);
    if (!faults.on || forge.issueByNumber.get(number)?.state !== "closed") return;
    world.tell({ kind: "person-did", what: `a person opens #${number} of ${project} again` });
    // Who asks for it again says that an agent can do it.
    const removeLabels = [LABELS.underspecified];
    forge.editIssue(number, { state: "open", addLabels: [LABELS.backlog], removeLabels });
  }

  function round(): void {
    for (const [project, numbers] of landed) {
      for (const number of numbers) if (faults.strikes("reopen")) reopen(project, number);
    }
    if (faults.on) clock.after(ROUND_MS, round);
  }

  clock.after(ROUND_MS, round);
  listeners.push((fact) => {
    if (fact.kind === "issue-closed" && landed.get(fact.project)?.has(fact.issue) === true) {
      if (!LOOKS.some(() => faults.strikes("reopen"))) return;
      clock.after(faults.lengthMs(SOON_MS), () => reopen(fact.project, fact.issue));
    }
    if (fact.kind !== "journaled") return;
    for (const { state } of fact.journaled.states) {
      const number = state.kind === "run" ? issueIn(state) : undefined;
      if (state.kind !== "run" || state.outcome?.kind !== "landed" || number === undefined)
        continue;
      landed.set(state.project, (landed.get(state.project) ?? new Set()).add(number));
    }
  });
}
