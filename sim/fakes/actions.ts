// The outside that the vault reaches: it counts what is done to it, whatever the daemon hears of it.
import { canonicalJson } from "../../src/lib/canonical-json.ts";
import { sha256 } from "../../src/lib/sha256.ts";
import type { Actions } from "../../src/ports/actions.ts";
import type { Life } from "../life.ts";

export const createFakeActions = (life: Life): Actions => ({
  carryOut: async ({ key, action }) => {
    const { world } = life;
    if (world.faults.strikes("actionUnsent")) return { kind: "unsent", why: "no connection" };
    world.tell({ kind: "action-done", key, hash: sha256(canonicalJson(action)) });
    // Between the deed and the note of its outcome.
    if (world.faults.strikes("actionKill")) life.kill("an action");
    if (world.faults.strikes("actionUnknown")) return { kind: "unknown", why: "answered 500" };
    return { kind: "done", detail: "answered 200" };
  },
});
