// `action` issues of a project: each that is ready is begun, each that a person closed is let go.
import type { Context } from "../context.ts";
import { actionAggregate } from "../ids.ts";
import { LABELS } from "../issue.ts";
import type { IssueFacts } from "./backlog.ts";
import type { Project } from "./project.ts";

const isAction = ({ labels }: IssueFacts): boolean => labels.includes(LABELS.action);

/** Blocked or taken ones wait for a person, or are under way already. */
const isReady = ({ labels, unmet }: IssueFacts): boolean =>
  unmet.length === 0 && !labels.includes(LABELS.blocked) && !labels.includes(LABELS.inProgress);

export const readyActions = (backlog: readonly IssueFacts[]): IssueFacts[] =>
  backlog.filter((issue) => isAction(issue) && isReady(issue));

/** Each asks the forge as soon as it is wanted; the next look begins where this one stopped. */
const PORTION = 100;

/** Wanted again, one that is under way stays what it is. */
export function wantActions(project: Project, { at, output }: Context): Project {
  const { name, backlog, paused, actionsAfter = 0 } = project;
  if (paused !== undefined) return project;
  const ready = readyActions(backlog).toSorted((a, b) => a.number - b.number);
  const later = ready.filter(({ number }) => number > actionsAfter);
  const earlier = ready.filter(({ number }) => number <= actionsAfter);
  const portion = [...later, ...earlier].slice(0, PORTION);
  for (const { number: issue, title } of portion) {
    const event = { kind: "action-wanted", at, project: name, issue, title } as const;
    output.tells.push({ to: actionAggregate(name, issue), event });
  }
  const { actionsAfter: _, ...rest } = project;
  const last = portion.at(-1)?.number;
  return ready.length <= PORTION || last === undefined ? rest : { ...rest, actionsAfter: last };
}

export function letActionsGo(
  { name, backlog }: Project,
  open: readonly IssueFacts[],
  { at, output }: Context,
): void {
  const there = new Set(open.map(({ number }) => number));
  for (const { number } of backlog.filter(isAction)) {
    if (there.has(number)) continue;
    const event = { kind: "action-unwanted", at, why: "its issue was closed" } as const;
    output.tells.push({ to: actionAggregate(name, number), event });
  }
}
