// Questions on the forge: each is asked once, only an operator's comment answers it, and each
// answer is acknowledged once.
import type { Event } from "../../src/core/event.ts";
import { projectOf, type AggregateId, type ProjectName } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import { STRANGER } from "../config.ts";
import { placeOf } from "../seen.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const OPERATOR = "ann";

export function answers(world: World): Checker {
  const name = "answers";
  const asked = new Map<string, Set<string>>();

  const commentsOn = (project: ProjectName, issue: number) =>
    world.project(project).forge.commentsOf.get(issue) ?? [];

  /** A stranger may copy every word of Pawl's. */
  const honestOn = (project: ProjectName, issue: number) =>
    commentsOn(project, issue).filter(({ author }) => author !== STRANGER);

  function answered(to: AggregateId, event: Event): void {
    if (event.kind !== "escalation-answered" || event.comment === undefined) return;
    const { id, on } = event.comment;
    const said = commentsOn(projectOf(to), on).find((comment) => comment.id === id);
    if (said?.author === OPERATOR) return;
    world.fail(
      name,
      `${to} took ${said?.author ?? "an unknown author"}'s comment ${id} for an answer`,
    );
  }

  function journaled(run: Run): void {
    const issue = placeOf(run);
    if (issue === undefined || run.stage.kind !== "escalated") return;
    const { since } = run.stage.escalation;
    const place = `${run.project} ${issue}`;
    asked.set(place, (asked.get(place) ?? new Set()).add(`${run.id} ${since}`));
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") {
        for (const { to, event } of fact.journaled.events) answered(to, event);
        for (const { state } of fact.journaled.states) if (state.kind === "run") journaled(state);
      }
      if (fact.kind !== "forge-made" || fact.what !== "comment") return;
      const issue = Number(fact.mark.split(" ")[0]);
      const all = honestOn(fact.project, issue);
      const questions = all.filter(({ body }) => body.startsWith("Pawl needs a person")).length;
      const allowed = asked.get(`${fact.project} ${issue}`)?.size ?? 0;
      if (questions > allowed) {
        world.fail(name, `#${issue} was asked ${questions} times for ${allowed} escalations`);
      }
      const thanks = all.filter(({ body }) => body.startsWith("Thank you, @")).length;
      const said = all.filter(({ author }) => author === OPERATOR).length;
      if (thanks > said) world.fail(name, `#${issue} was thanked for more than was said`);
    },
  };
}
