// Firing an item, and what its outcome means: done is the end; provably unsent is tried again with
// the same approval while that is valid; an unknown outcome becomes a question to a person.
import type { Context } from "../context.ts";
import type { FailedEffect } from "../event.ts";
import { vaultAggregate } from "../ids.ts";
import { vaultUnsure } from "../words/vault.ts";
import { end, tellPeople } from "./end.ts";
import type { Approval, FiringOutcome, VaultItem } from "./item.ts";
import { noted } from "./noted.ts";

const ATTEMPTS_MAX = 5;
const RETRY_FIRST_MS = 60_000;

export function fire(
  item: VaultItem,
  { approval, attempt }: { approval: Approval; attempt: number },
  { output }: Context,
): VaultItem {
  const { request, hash } = item;
  if (request === undefined) return item;
  const aggregate = vaultAggregate(item.project, item.id);
  output.effects.push({
    key: `${aggregate}:fire:${attempt}`,
    lane: `${aggregate}:fire`,
    effect: { kind: "fire-vault", item: item.id, attempt, hash, action: request.action },
  });
  return { ...item, stage: { kind: "firing", approval, attempt, begun: false } };
}

/**
 * Only an item in the stage `firing` may begin, and only once: the caller checks whether it did.
 */
export function begun(item: VaultItem, event: { at: number; attempt: number }): VaultItem {
  const { stage } = item;
  if (stage.kind !== "firing" || stage.begun || stage.attempt !== event.attempt) return item;
  if (stage.approval.until <= event.at) return item;
  return { ...item, stage: { ...stage, begun: true } };
}

export function fired(
  item: VaultItem,
  event: { attempt: number; outcome: FiringOutcome },
  context: Context,
): VaultItem {
  const { stage } = item;
  if (stage.kind !== "firing" || stage.attempt !== event.attempt) return item;
  const { outcome } = event;
  switch (outcome.kind) {
    case "done":
      return end(item, { end: "fired", by: stage.approval.by, text: outcome.detail }, context);
    case "unsent":
      return rest(item, { ...stage, why: outcome.why }, context);
    case "unknown":
      return unsure(item, { attempt: stage.attempt, why: outcome.why }, context);
  }
}

/**
 * The effect itself failed: before it began nothing was done, after that the outcome is unknown.
 */
export function firingFailed(item: VaultItem, failed: FailedEffect, context: Context): VaultItem {
  const { stage } = item;
  const { effect } = failed.obligation;
  if (effect.kind !== "fire-vault" || stage.kind !== "firing") return item;
  if (effect.attempt !== stage.attempt) return item;
  if (stage.begun) return unsure(item, { attempt: stage.attempt, why: failed.message }, context);
  return rest(item, { ...stage, why: failed.message }, context);
}

function rest(
  item: VaultItem,
  { approval, attempt, why }: { approval: Approval; attempt: number; why: string },
  context: Context,
): VaultItem {
  const retryAt = context.at + RETRY_FIRST_MS * 2 ** (attempt - 1);
  if (attempt >= ATTEMPTS_MAX || retryAt >= approval.until) {
    return end(item, { end: "failed", by: "pawl", text: `never sent: ${why}` }, context);
  }
  const waiting = noted(item, `not sent; Pawl tries again: ${why}`, context);
  return { ...waiting, stage: { kind: "resting", approval, attempt, retryAt, why } };
}

function unsure(
  item: VaultItem,
  { attempt, why }: { attempt: number; why: string },
  context: Context,
): VaultItem {
  const open = noted(item, `may have happened: ${why}`, context);
  tellPeople(open, { severity: "urgent", round: "unsure", ...vaultUnsure(item, why) }, context);
  return {
    ...open,
    stage: { kind: "unsure", attempt, why, deadline: context.at + item.expiresMs },
  };
}

export function due(item: VaultItem, context: Context): VaultItem {
  const { stage } = item;
  const { at } = context;
  if (stage.kind === "waiting" && stage.deadline <= at) {
    return end(item, { end: "expired", by: "pawl", text: "" }, context);
  }
  if (stage.kind === "unsure" && stage.deadline <= at) {
    const text = `it may have happened, and this was not confirmed: ${stage.why}`;
    return end(item, { end: "failed", by: "pawl", text }, context);
  }
  if (stage.kind !== "resting") return item;
  if (stage.approval.until <= at) {
    return end(item, { end: "expired", by: "pawl", text: stage.why }, context);
  }
  if (stage.retryAt > at) return item;
  return fire(item, { approval: stage.approval, attempt: stage.attempt + 1 }, context);
}
