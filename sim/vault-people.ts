// Who asks for dangerous actions in the simulated world, and who decides about them: operators who
// approve in time or too late, twice, or what they did not read, who reject, and who say what they
// saw. One also tries to slip another payload under a known id.
import { projectAggregate, vaultAggregate, type AggregateId } from "../src/core/ids.ts";
import type { Event } from "../src/core/event.ts";
import type { VaultAction } from "../src/core/vault/vault-action.ts";
import { asksPerson, type VaultItem } from "../src/core/vault/item.ts";
import { canonicalJson } from "../src/lib/canonical-json.ts";
import { sha256 } from "../src/lib/sha256.ts";
import { OperationError } from "../src/lib/operation-error.ts";
import { FORGE_OWNER } from "./config.ts";
import type { Engine } from "../src/daemon/engine/engine.ts";
import type { SimProject, World } from "./world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ROUND_MS = 10 * MINUTE_MS;
const ROUNDS_PER_HOUR = 6;
const ITEMS_MAX = 150;
const LATE_MS = 60 * HOUR_MS;
/** How many look whether it happened, instead of deciding. */
const LOOKS = 0.2;

export function startVaultPeople(world: World, engine: () => Engine | undefined): void {
  // A regression that is older than the vault does not name it.
  if ((world.options.rates.vault ?? 0) > 0) new VaultPeople(world, engine).begin();
}

class VaultPeople {
  readonly #world: World;
  readonly #engine: () => Engine | undefined;
  #asked = 0;

  constructor(world: World, engine: () => Engine | undefined) {
    this.#world = world;
    this.#engine = engine;
  }

  begin(): void {
    this.#again();
    this.#world.listeners.push((fact) => {
      if (fact.kind !== "journaled" || !this.#world.faults.on) return;
      for (const { state } of fact.journaled.states) {
        if (state.kind === "vault" && asksPerson(state)) this.#decideSoon(state);
      }
    });
  }

  #again(): void {
    const { clock, prng } = this.#world;
    clock.after(1 + prng.vault.int(2 * ROUND_MS), () => {
      this.#round()
        .catch((error: unknown) => this.#given(error))
        .finally(() => this.#again());
    });
  }

  async #round(): Promise<void> {
    const { faults, prng, projects } = this.#world;
    for (const project of projects.values()) {
      const wanted = prng.vault.chance(faults.rate("vault") / ROUNDS_PER_HOUR);
      if (wanted && this.#asked < ITEMS_MAX) await this.#ask(project);
    }
  }

  async #ask(project: SimProject): Promise<void> {
    this.#asked += 1;
    const id = `v${this.#asked}`;
    // Commands are allowed by the policy of the simulated projects, webhooks are asked about.
    const isCommand = this.#world.prng.vault.chance(0.5);
    const action = (body: string): VaultAction =>
      isCommand
        ? { kind: "command", argv: ["deploy", body], env: {}, input: "" }
        : { kind: "webhook", endpoint: "https://example.org/", method: "POST", headers: {}, body };
    await this.#request(project, { id, action: action("first") });
    if (this.#world.faults.strikes("vaultWrongHash")) {
      await this.#request(project, { id, action: action("another") });
    }
  }

  #request(
    project: SimProject,
    { id, action }: { id: string; action: VaultAction },
  ): Promise<void> {
    const at = this.#world.clock.now();
    const request = {
      id,
      what: "do it",
      risk: "low",
      reversible: false,
      action,
      by: "ann",
      ...this.#place(project),
    } as const;
    return this.#submit(projectAggregate(project.name), { kind: "vault-requested", at, request });
  }

  /** Half of them are about an issue, where operators are asked and decide too. */
  #place({ forge }: SimProject): { issue?: number } {
    const [first] = forge.issueByNumber.keys();
    const { options, prng } = this.#world;
    const isThere = options.operators === true && first !== undefined;
    return isThere && prng.stranger.chance(0.5) ? { issue: first } : {};
  }

  #decideSoon(item: VaultItem): void {
    const { faults, prng, clock } = this.#world;
    const waitMs = faults.strikes("vaultLate") ? LATE_MS : prng.vault.int(HOUR_MS);
    clock.after(waitMs, () => {
      this.#decide(item).catch((error: unknown) => this.#given(error));
    });
  }

  async #decide(item: VaultItem): Promise<void> {
    const { faults, clock, prng } = this.#world;
    const to = vaultAggregate(item.project, item.id);
    const by = "ann";
    // Also about what is no longer in doubt by then: that must change nothing.
    if (prng.vault.chance(LOOKS)) {
      const happened = prng.vault.chance(0.5);
      await this.#submit(to, { kind: "vault-confirmed", at: clock.now(), by, happened, note: "" });
      return;
    }
    if (faults.strikes("vaultReject")) {
      await this.#submit(to, { kind: "vault-rejected", at: clock.now(), by, reason: "no" });
      return;
    }
    const { request } = item;
    const other =
      request === undefined ? "" : canonicalJson({ ...request.action, body: "another" });
    const hash = faults.strikes("vaultWrongHash") ? sha256(other) : item.hash;
    const issue = request?.issue;
    if (issue !== undefined && prng.stranger.chance(0.5)) {
      this.#world.tell({ kind: "person-did", what: `ann approves ${item.id} on #${issue}` });
      const { forge } = this.#world.project(item.project);
      forge.say({ issue, author: FORGE_OWNER, body: `APPROVE ${item.id}` });
      return;
    }
    const times = faults.strikes("vaultTwice") ? 2 : 1;
    for (let count = 0; count < times; count += 1) {
      await this.#submit(to, { kind: "vault-approved", at: clock.now(), by, hash });
    }
  }

  async #submit(to: AggregateId, event: Event): Promise<void> {
    const engine = this.#engine();
    if (engine === undefined) return;
    this.#world.tell({ kind: "person-did", what: `ann: ${event.kind} to ${to}` });
    await Promise.race([engine.loop.submit({ to, event }), this.#world.clock.sleep(MINUTE_MS)]);
  }

  /** The journal may be full, or the daemon gone: a person decides later, or never. */
  #given(error: unknown): void {
    if (error instanceof OperationError) return;
    this.#world.fail("simulator", `people of the vault broke: ${String(error)}`);
  }
}
