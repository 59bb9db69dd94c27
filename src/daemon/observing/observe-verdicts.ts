// Whether an operator decided about an item of the vault on the forge: `APPROVE id` or `REJECT id`
// in a comment on the issue it is about, by an account that pawl.toml names, after Pawl's own question
// there. Times of the forge and of this machine are never compared: comments count up.
import { vaultAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { asksPerson, type VaultItem } from "../../core/vault/item.ts";
import { parseVerdicts, type Verdict } from "../../core/vault/verdict.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Comment, Forge } from "../../ports/forge.ts";
import type { Store } from "../../ports/store.ts";
import type { Loop } from "../engine/loop.ts";

type Deps = { store: Store; loop: Loop; clock: Clock };

export async function observeVerdicts(deps: Deps, project: Project, forge: Forge): Promise<void> {
  const operators = (project.config?.forge?.operators ?? []).map((login) => login.toLowerCase());
  if (operators.length === 0) return;
  const stored = await deps.store.aggregates({ project: project.name, kind: "vault" });
  for (const { state } of stored) {
    if (state.kind !== "vault" || !asksPerson(state)) continue;
    const { posted, request } = state;
    if (request?.issue === undefined || posted === undefined) continue;
    const said = (await forge.comments(request.issue)).filter(
      ({ author, own, id }) =>
        own !== true && operators.includes(author.toLowerCase()) && Number(id) > Number(posted),
    );
    for (const comment of said) await obey(deps, state, comment);
  }
}

/** Each comment once, however often it is seen. */
async function obey(deps: Deps, item: VaultItem, comment: Comment): Promise<void> {
  const to = vaultAggregate(item.project, item.id);
  const verdict = parseVerdicts(comment.body).find(({ id }) => id === item.id);
  if (verdict === undefined) return;
  const at = deps.clock.now();
  const by = comment.author;
  const event =
    verdict.kind === "approve"
      ? ({ kind: "vault-approved", at, by, hash: hashMeant(item, verdict), comment: true } as const)
      : ({ kind: "vault-rejected", at, by, reason: verdict.reason } as const);
  await deps.loop.submit({ to, event, key: `${to}:comment:${comment.id}` });
}

/** Payloads never change under an id; an operator may name the one that was read all the same. */
const hashMeant = ({ hash }: VaultItem, verdict: Verdict): string =>
  verdict.hash === undefined || hash.startsWith(verdict.hash) ? hash : verdict.hash;
