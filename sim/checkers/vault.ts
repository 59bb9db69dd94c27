// Invariant (g): a vault item reaches outside at most once per approval, only with an approval of
// exactly the payload that was first asked for, and only while that approval lives. What counts as
// carried out was, or a person who was asked has said so.
import type { Event } from "../../src/core/event.ts";
import { kindOf, type AggregateId } from "../../src/core/ids.ts";
import type { VaultItem } from "../../src/core/vault/item.ts";
import { canonicalJson } from "../../src/lib/canonical-json.ts";
import { sha256 } from "../../src/lib/sha256.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const HOUR_MS = 3_600_000;
const LIVES_MS = 48 * HOUR_MS;
/** Between the last look at the approval and the deed: a call may be slow. */
const SLACK_MS = 0.25 * HOUR_MS;

type Known = {
  hash: string;
  stage: VaultItem["stage"]["kind"];
  /** An approval that has not been used: when it was given. */
  approvedAt: number | undefined;
  /** It reached outside, or a person confirmed that after an unknown outcome. */
  happened: boolean;
};

export function vault(world: World): Checker {
  const name = "vault";
  const items = new Map<string, Known>();

  function saved(id: AggregateId, item: VaultItem): void {
    const known = items.get(keyOf(id));
    if (known === undefined || becomes(known, item)) return;
    world.fail(name, `${id} counts as carried out, and was not`);
  }

  function done(key: string, hash: string): void {
    const known = items.get(key);
    if (known === undefined) return world.fail(name, `${key} fired without a request`);
    const { approvedAt } = known;
    known.approvedAt = undefined;
    known.happened = true;
    if (hash !== known.hash) return world.fail(name, `${key} fired another payload`);
    if (approvedAt === undefined) {
      return world.fail(name, `${key} fired without an approval that was not used yet`);
    }
    if (world.clock.now() - approvedAt > LIVES_MS + SLACK_MS) {
      world.fail(name, `${key} fired with an approval of ${new Date(approvedAt).toISOString()}`);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "action-done") done(fact.key, fact.hash);
      if (fact.kind !== "journaled") return;
      for (const one of fact.journaled.written) {
        if (one.kind === "event" && kindOf(one.to) === "vault") note(items, one.to, one.event);
        if (one.kind === "state" && one.state.kind === "vault") saved(one.id, one.state);
      }
    },
    atEnd() {
      for (const [key, { stage }] of items) {
        if (stage !== "ended") world.fail(name, `${key} never came to an end: it is ${stage}`);
      }
    },
  };
}

function note(items: Map<string, Known>, to: AggregateId, event: Event): void {
  const key = keyOf(to);
  const known = items.get(key);
  if (event.kind === "vault-filed" && known === undefined) {
    const hash = sha256(canonicalJson(event.request.action));
    const approvedAt = event.decision === "allow" ? event.at : undefined;
    items.set(key, { hash, stage: "waiting", approvedAt, happened: false });
    return;
  }
  if (known === undefined) return;
  const isAsked = known.stage === "waiting" || known.stage === "unsure";
  if (event.kind === "vault-approved" && isAsked && event.hash === known.hash) {
    known.approvedAt = event.at;
  }
  if (event.kind === "vault-confirmed" && known.stage === "unsure" && event.happened) {
    known.happened = true;
  }
  if (event.kind === "vault-rejected" && known.stage !== "firing") known.approvedAt = undefined;
}

/** False where it says of itself what did not happen. */
function becomes(known: Known, { stage }: VaultItem): boolean {
  known.stage = stage.kind;
  return known.happened || stage.kind !== "ended" || stage.end !== "fired";
}

/** As the daemon names an item to the outside. */
const keyOf = (id: AggregateId): string => id.replace(/^vault:/, "pawl-").replace("/", "-");
