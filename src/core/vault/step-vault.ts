// The step of a vault item: the only place where its state changes. It fires with a live approval
// of exactly its payload, and never twice for one.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { vaultAggregate } from "../ids.ts";
import { vaultAsks, vaultAsksOnForge, vaultLooked, vaultRefused } from "../words/vault.ts";
import { end, sayOnIssue, tellAsker, tellPeople } from "./end.ts";
import { begun, due, fire, fired, firingFailed } from "./firing.ts";
import { isEnded, type VaultItem } from "./item.ts";
import { noted } from "./noted.ts";
import { payloadHash } from "./payload-hash.ts";
import type { VaultEvent } from "./vault-event.ts";

type EventOf<K extends VaultEvent["kind"]> = Extract<VaultEvent, { kind: K }>;

export function stepVault(
  item: VaultItem | undefined,
  event: Event,
  output: Output,
): VaultItem | undefined {
  const context = { at: event.at, output };
  if (event.kind === "vault-filed") return file(item, event, context);
  if (event.kind === "vault-awaited") return awaited(item ?? expected(event), event, context);
  if (item === undefined || isEnded(item)) return item;
  switch (event.kind) {
    case "vault-approved":
      return approved(item, event, context);
    case "vault-rejected":
      return rejected(item, event, context);
    case "question-posted":
      return event.since === item.requestedAt ? { ...item, posted: event.comment } : item;
    case "vault-confirmed":
      return confirmed(item, event, context);
    case "vault-firing-begun":
      return begun(item, event);
    case "vault-fired":
      return fired(item, event, context);
    case "effect-failed":
      return firingFailed(item, event.failed, context);
    case "deadline-passed":
      return due(item, context);
    case "clock-jumped":
      return shifted(item, event.gapMs);
    default:
      return item;
  }
}

const expected = (event: EventOf<"vault-awaited">): VaultItem => ({
  kind: "vault",
  project: event.project,
  id: event.item,
  request: undefined,
  hash: "",
  requestedAt: event.at,
  expiresMs: 0,
  stage: { kind: "expected" },
  waiters: [],
  log: [],
});

/** The first request under an id counts: a second one could change what was already approved. */
function file(
  before: VaultItem | undefined,
  event: EventOf<"vault-filed">,
  context: Context,
): VaultItem {
  const { request, decision, expiresMs, project, at } = event;
  const hash = payloadHash(request.action);
  if (before?.request !== undefined) {
    return isRefused(before, hash) ? refuse(before, event, context) : before;
  }
  const item: VaultItem = {
    kind: "vault",
    project,
    id: request.id,
    request,
    hash,
    requestedAt: at,
    expiresMs,
    stage: { kind: "waiting", deadline: at + expiresMs },
    waiters: before?.waiters ?? [],
    log: [{ at, text: `requested by ${request.by}: ${request.what}` }],
  };
  if (decision === "deny") return end(item, { end: "denied", by: "policy", text: "" }, context);
  if (decision === "allow") {
    const approval = { by: "policy", at, hash, until: at + expiresMs };
    return fire(item, { approval, attempt: 1 }, context);
  }
  const asks = vaultAsks(item, request);
  tellPeople(item, { severity: "urgent", round: "asks", ...asks }, context);
  const { operators = [] } = event;
  if (operators.length > 0) {
    const body = vaultAsksOnForge(asks, operators);
    sayOnIssue(item, { about: "asks", body, since: at }, context);
  }
  return item;
}

/** The same payload again while the first request is open is the same request. */
export const isRefused = (before: VaultItem, hash: string): boolean =>
  before.hash !== hash || isEnded(before);

function refuse(item: VaultItem, { request }: EventOf<"vault-filed">, context: Context): VaultItem {
  const about = { project: item.project, id: item.id, request };
  tellAsker(about, { ...vaultRefused(item), round: `refused:${context.at}` }, context);
  const what = item.hash === payloadHash(request.action) ? "the same" : "another";
  return noted(item, `${what} payload under the same id was refused`, context);
}

function awaited(
  item: VaultItem,
  { gate }: EventOf<"vault-awaited">,
  { at, output }: Context,
): VaultItem {
  const { stage } = item;
  if (stage.kind !== "ended") {
    return item.waiters.includes(gate) ? item : { ...item, waiters: [...item.waiters, gate] };
  }
  const met = stage.end === "fired";
  const told = { by: stage.by, via: "vault", met, text: stage.text } as const;
  const event = { kind: "gate-told", at, ...told } as const;
  output.tells.push({ to: gate, event });
  return item;
}

/** Of exactly this payload, in time; a second approval of what is under way changes nothing. */
function approved(item: VaultItem, event: EventOf<"vault-approved">, context: Context): VaultItem {
  const { stage } = item;
  const { by, at, hash } = event;
  if (stage.kind !== "waiting" && stage.kind !== "unsure") return item;
  if (stage.kind === "unsure" && event.comment === true) return item;
  if (stage.deadline <= at) return due(item, context);
  if (hash !== item.hash) {
    return noted(item, `an approval by ${by} of another payload was refused`, context);
  }
  const approval = { by, at, hash, until: at + item.expiresMs };
  const attempt = stage.kind === "unsure" ? stage.attempt + 1 : 1;
  return fire(noted(item, `approved by ${by}`, context), { approval, attempt }, context);
}

/** Once the outside is touched it is too late. */
function rejected(item: VaultItem, event: EventOf<"vault-rejected">, context: Context): VaultItem {
  const { stage } = item;
  const { by, reason } = event;
  if (stage.kind === "expected") return item;
  if (stage.kind === "firing") {
    if (stage.begun) return noted(item, `a rejection by ${by} was too late`, context);
    context.output.cancelled.push(`${vaultAggregate(item.project, item.id)}:fire:${stage.attempt}`);
  }
  return end(item, { end: "rejected", by, text: reason }, context);
}

/** Only for an unknown outcome: an action under way reports its own outcome. */
function confirmed(
  item: VaultItem,
  event: EventOf<"vault-confirmed">,
  context: Context,
): VaultItem {
  const { by, happened, note } = event;
  if (item.stage.kind !== "unsure") return item;
  const text = vaultLooked(happened, note);
  return end(item, { end: happened ? "fired" : "failed", by, text }, context);
}

/** A laptop that slept gives people their time back; an approval does not live longer for it. */
function shifted(item: VaultItem, gapMs: number): VaultItem {
  const { stage } = item;
  if (stage.kind === "waiting" || stage.kind === "unsure") {
    return { ...item, stage: { ...stage, deadline: stage.deadline + gapMs } };
  }
  return item;
}
