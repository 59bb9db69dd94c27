// The end of an item: the requester, the waiting gates and the operators are told, in the same
// transaction.
import type { Context } from "../context.ts";
import { mailAggregate, vaultAggregate } from "../ids.ts";
import { vaultEnded } from "../words/vault.ts";
import type { VaultEnd, VaultItem } from "./item.ts";
import { noted } from "./noted.ts";

export type Ending = { end: VaultEnd; by: string; text: string };

export function end(item: VaultItem, ending: Ending, context: Context): VaultItem {
  const { at, output } = context;
  const met = ending.end === "fired";
  const { subject, body } = vaultEnded(item, ending);
  for (const gate of item.waiters) {
    output.tells.push({
      to: gate,
      event: { kind: "gate-told", at, by: ending.by, via: "vault", met, text: subject },
    });
  }
  tellAsker(item, { subject, body, round: "ended" }, context);
  if (ending.end !== "rejected") {
    const severity = met ? "info" : "warning";
    tellPeople(item, { severity, round: "ended", title: subject, body }, context);
  }
  if (item.posted !== undefined) sayOnIssue(item, { about: "ended", body }, context);
  const line = `${ending.end} (${ending.by})${ending.text === "" ? "" : `: ${ending.text}`}`;
  return { ...noted(item, line, context), stage: { kind: "ended", at, ...ending } };
}

/** An agent reads letters; an operator who asked sees the news. */
export function tellAsker(
  { project, id, request }: Pick<VaultItem, "project" | "id" | "request">,
  { subject, body, round }: { subject: string; body: string; round: string },
  { at, output }: Context,
): void {
  if (request?.run === undefined) return;
  const letter = {
    from: "operator",
    to: request.by,
    subject,
    body,
    priority: "normal",
    key: `${vaultAggregate(project, id)}:${round}`,
  } as const;
  output.tells.push({
    to: mailAggregate(project),
    event: { kind: "mail-sent", at, project, letter },
  });
}

/** Where the request is about an issue; a forge that is down must hold up nothing else. */
export function sayOnIssue(
  { project, id, request }: VaultItem,
  { about, body, since }: { about: string; body: string; since?: number },
  { output }: Context,
): void {
  if (request?.issue === undefined) return;
  const aggregate = vaultAggregate(project, id);
  const asked = since === undefined ? {} : { since };
  output.effects.push({
    key: `${aggregate}:say:${about}`,
    lane: `${aggregate}:words`,
    effect: { kind: "say-on-issue", on: request.issue, body, ...asked },
  });
}

export function tellPeople(
  { project, id, request }: VaultItem,
  news: { severity: "info" | "warning" | "urgent"; round: string; title: string; body: string },
  { at, output }: Context,
): void {
  const aggregate = vaultAggregate(project, id);
  const { severity, round, title, body } = news;
  const issue = request?.issue === undefined ? {} : { issue: request.issue };
  output.effects.push({
    key: `${aggregate}:notify:${round}:${at}`,
    lane: `${aggregate}:notify`,
    effect: { kind: "notify", severity, title, body, ...issue },
  });
}
