// The outside that the vault reaches: it counts what is done to it, also when the daemon gets no
// answer.
// There are no secrets in it: an action may name one, and gets no value.
import { secretsOf } from "../../src/core/vault/vault-action.ts";
import { canonicalJson } from "../../src/lib/canonical-json.ts";
import { sha256 } from "../../src/lib/sha256.ts";
import type { Firing } from "../../src/ports/firing.ts";
import type { Life } from "../life.ts";

export const createFakeFiring = (life: Life): Firing => ({
  carryOut: async ({ key, action, secrets }) => {
    const { world } = life;
    const refused = secretsOf(action).find((name) => !secrets.includes(name));
    if (refused !== undefined) return { kind: "unsent", why: `${refused} is not allowed` };
    if (world.faults.strikes("actionUnsent")) return { kind: "unsent", why: "no connection" };
    world.tell({ kind: "action-done", key, hash: sha256(canonicalJson(action)) });
    // Between the deed and the note of its outcome.
    if (world.faults.strikes("actionKill")) life.kill("an action");
    if (world.faults.strikes("actionUnknown")) return { kind: "unknown", why: "answered 500" };
    return { kind: "done", detail: "answered 200" };
  },
});
