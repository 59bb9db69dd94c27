// Whether an operator decided about an item of the vault on the forge: `APPROVE id` or `REJECT id`
// in a comment on the issue it is about, by an account that pawl.toml names, after it was asked for.
import { vaultAggregate } from "../core/ids.ts";
import type { Project } from "../core/project/project.ts";
import { asksPerson, type VaultItem } from "../core/vault/item.ts";
import { parseVerdicts, type Verdict } from "../core/vault/verdict.ts";
import type { Clock } from "../ports/clock.ts";
import type { Comment, Forge } from "../ports/forge.ts";
import type { Store } from "../ports/store.ts";
import type { Loop } from "./loop.ts";

type Deps = { store: Store; loop: Loop; clock: Clock };

export async function lookForVerdicts(deps: Deps, project: Project, forge: Forge): Promise<void> {
  const operators = (project.config?.forge?.operators ?? []).map((login) => login.toLowerCase());
  if (operators.length === 0) return;
  const stored = await deps.store.aggregates({ project: project.name, kind: "vault" });
  for (const { state } of stored) {
    if (state.kind !== "vault" || !asksPerson(state) || state.request?.issue === undefined)
      continue;
    const said = (await forge.comments(state.request.issue)).filter(
      ({ author, own, createdAt }) =>
        own !== true && operators.includes(author.toLowerCase()) && createdAt >= state.requestedAt,
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
