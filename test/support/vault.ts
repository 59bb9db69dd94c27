// A vault item for tests of the core: what is asked for, and a way to step it.
import type { Event } from "../../src/core/event.ts";
import { emptyOutput, type Output } from "../../src/core/effect.ts";
import { projectName, runId } from "../../src/core/ids.ts";
import type { VaultItem, VaultRequest } from "../../src/core/vault/item.ts";
import { stepVault } from "../../src/core/vault/step-vault.ts";
import type { VaultEvent } from "../../src/core/vault/vault-event.ts";

export const HOUR_MS = 3_600_000;
export const toy = projectName("toy");

export const REQUEST: VaultRequest = {
  id: "v1",
  what: "Tell the world",
  risk: "high",
  reversible: false,
  action: {
    kind: "webhook",
    endpoint: "https://example.org",
    method: "POST",
    headers: {},
    body: "hello",
  },
  by: "dev-1",
  run: runId("1.1"),
  issue: 1,
};

export const filed = (
  change: Partial<Extract<VaultEvent, { kind: "vault-filed" }>> = {},
): VaultEvent => ({
  kind: "vault-filed",
  at: 0,
  project: toy,
  request: REQUEST,
  decision: "ask",
  expiresMs: 48 * HOUR_MS,
  ...change,
});

export class VaultWorld {
  item: VaultItem | undefined;
  output: Output = emptyOutput();

  /** What this one event led to. */
  step(event: Event): VaultItem {
    this.output = emptyOutput();
    this.item = stepVault(this.item, event, this.output);
    if (this.item === undefined) throw new Error(`${event.kind} made no item`);
    return this.item;
  }

  approve(at: number, hash = this.item?.hash ?? ""): VaultItem {
    return this.step({ kind: "vault-approved", at, by: "ann", hash });
  }

  fired(
    at: number,
    attempt: number,
    outcome: Extract<VaultEvent, { kind: "vault-fired" }>["outcome"],
  ): VaultItem {
    return this.step({ kind: "vault-fired", at, attempt, outcome });
  }

  /** Effects that this event wants, by kind. */
  wants(): string[] {
    return this.output.effects.map(({ effect }) => effect.kind);
  }

  stage(): VaultItem["stage"] {
    if (this.item === undefined) throw new Error("there is no item");
    return this.item.stage;
  }
}
