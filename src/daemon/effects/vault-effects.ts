// Fires what the vault let through. What was begun and has no outcome is never begun again: then a
// person must say whether it happened. Only the forge's own actions may be repeated, because it
// makes each of them once by its key.
import type { VaultAction } from "../../core/vault/vault-action.ts";
import type { FiringOutcome, VaultItem } from "../../core/vault/item.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { describeError } from "../../lib/operation-error.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { FiringRequest } from "../../ports/firing.ts";
import { currentProject, type EffectContext, type EffectOf, type Executors } from "./executor.ts";

export const vaultEffects: Executors<"fire-vault"> = {
  "fire-vault": async (effect, context) => {
    const { attempt, action, hash } = effect;
    const answer = (outcome: FiringOutcome) =>
      ({ kind: "vault-fired", at: context.now(), attempt, outcome }) as const;
    const before = await stageOf(context, attempt);
    if (before === undefined) return undefined;
    if (before.begun && action.kind !== "forge") {
      return answer({ kind: "unknown", why: "Pawl ended while it was being carried out" });
    }
    if (sha256(canonicalJson(action)) !== hash || before.approval.hash !== hash) {
      return answer({ kind: "unsent", why: "the payload is not the one that was approved" });
    }
    const request = await prepare(effect, context);
    if (typeof request === "string") return answer({ kind: "unsent", why: request });
    if (!before.begun)
      await context.report({ kind: "vault-firing-begun", at: context.now(), attempt });
    const granted = await stageOf(context, attempt);
    if (granted === undefined) return undefined;
    if (!granted.begun) return answer({ kind: "unsent", why: "the approval is no longer valid" });
    return answer(await carryOut(request, context));
  },
};

type Firing = Extract<VaultItem["stage"], { kind: "firing" }>;

/** Undefined where this attempt is not wanted any more. */
async function stageOf(context: EffectContext, attempt: number): Promise<Firing | undefined> {
  const state = (await context.store.load(context.aggregate))?.state;
  if (state?.kind !== "vault" || state.stage.kind !== "firing") return undefined;
  return state.stage.attempt === attempt ? state.stage : undefined;
}

type ForgeAction = Extract<VaultAction, { kind: "forge" }>;

/** Everything that can fail without touching the outside comes first; a sentence is why not. */
async function prepare(
  { item, action }: EffectOf<"fire-vault">,
  context: EffectContext,
): Promise<FiringRequest | ForgeAction | string> {
  if (action.kind === "forge") return action;
  const { project, paths, own } = context;
  const secrets = (await currentProject(context)).config?.vault?.secrets ?? [];
  const place = { key: `pawl-${project}-${item}`, folder: paths.vault(project, item), secrets };
  if (action.kind !== "program") return { ...place, action };
  const path = `vault/handlers/${action.type}`;
  const script = await own.git.readFile(await own.git.fetchTarget(), path);
  if (script === undefined) return `the target has no ${path}`;
  return { ...place, action: { ...action, script } };
}

/** An error after the beginning says nothing about what happened. */
async function carryOut(
  request: FiringRequest | ForgeAction,
  context: EffectContext,
): Promise<FiringOutcome> {
  try {
    if ("act" in request) return await onForge(request, context);
    return await context.ports.firing.carryOut(request);
  } catch (error) {
    return { kind: "unknown", why: describeError(error).message };
  }
}

async function onForge(
  { issue, act }: ForgeAction,
  { own, aggregate }: EffectContext,
): Promise<FiringOutcome> {
  if (act.kind === "comment") {
    const key = `${aggregate}:fired`;
    await own.forge.comment({ issue, body: act.body, author: "pawl", key });
  } else if (act.kind === "close") await own.forge.editIssue(issue, { state: "closed" });
  else await own.forge.editIssue(issue, { addLabels: act.add, removeLabels: act.remove });
  return { kind: "done", detail: `${act.kind} on #${issue}` };
}
