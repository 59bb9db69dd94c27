// A dangerous action is asked for: the project's configuration as it is now says who decides.
import type { Context } from "../context.ts";
import { vaultAggregate } from "../ids.ts";
import type { VaultRequest } from "../vault/item.ts";
import { decide, judge, VAULT_DEFAULTS } from "../vault/policy.ts";
import type { Project } from "./project.ts";

export function fileVault(
  { name, config }: Pick<Project, "name" | "config">,
  request: VaultRequest,
  { at, output }: Context,
): void {
  const rules = config?.vault ?? VAULT_DEFAULTS;
  const operators = config?.forge?.operators ?? [];
  const judged = judge(request.action, request, rules);
  output.tells.push({
    to: vaultAggregate(name, request.id),
    event: {
      kind: "vault-filed",
      at,
      project: name,
      request: { ...request, ...judged },
      decision: decide(request.action, judged, rules),
      expiresMs: rules.expiresMs,
      ...(operators.length === 0 ? {} : { operators }),
    },
  });
}
