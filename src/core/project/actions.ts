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

/** Wanted again, one that is under way stays what it is. */
export function wantActions({ name, backlog, paused }: Project, { at, output }: Context): void {
  if (paused !== undefined) return;
  for (const { number: issue, title } of readyActions(backlog)) {
    const event = { kind: "action-wanted", at, project: name, issue, title } as const;
    output.tells.push({ to: actionAggregate(name, issue), event });
  }
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
