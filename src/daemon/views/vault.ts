// Items of the vault as people see them.
import type { WaitView } from "../../api/runs.ts";
import type { VaultView } from "../../api/vault.ts";
import { typeOf } from "../../core/vault/vault-action.ts";
import { asksPerson, vaultDeadline, type VaultItem } from "../../core/vault/item.ts";
import { iso } from "./agents.ts";

/** Undefined for one that a gate waits for and that was not requested yet. */
export function vaultView(item: VaultItem): VaultView | undefined {
  const { request, stage, hash } = item;
  if (request === undefined) return undefined;
  const deadline = vaultDeadline(item);
  return {
    id: item.id,
    project: item.project,
    what: request.what,
    type: typeOf(request.action),
    risk: request.risk,
    reversible: request.reversible,
    status: stage.kind === "ended" ? stage.end : stage.kind,
    needs_you: asksPerson(item),
    by: request.by,
    run: request.run ?? null,
    issue: request.issue ?? null,
    requested_at: iso(item.requestedAt),
    deadline: deadline === undefined ? null : iso(deadline),
    sha256: hash,
    payload: request.action,
    log: item.log.map(({ at, text }) => ({ at: iso(at), text })),
  };
}

export function vaultWaits(item: VaultItem): WaitView[] {
  const { request, stage, project, id } = item;
  if (request === undefined || !asksPerson(item)) return [];
  const why =
    stage.kind === "unsure"
      ? `may have happened: ${stage.why}`
      : `${request.by} asks (risk ${request.risk}): ${request.what}`;
  const command = `pawl vault show ${id}`;
  const act = { kind: "vault", item: id } as const;
  return [{ project, about: `vault ${id}`, why, needs_you: true, command, act }];
}
