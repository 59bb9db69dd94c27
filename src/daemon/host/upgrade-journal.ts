// Brings the states of a journal that an older Pawl wrote to this Pawl's shape, once, before
// anything is decided on them. Sessions that live go on living: only what is missing is added. What
// this Pawl does not know is left alone, and a person is told.
import { parseConfig } from "../../config/parse.ts";
import type { ProjectConfig } from "../../core/config.ts";
import { historyOf } from "../../core/history.ts";
import { projectAggregate, projectOf, type AggregateId } from "../../core/ids.ts";
import { deadlineOf } from "../../core/step.ts";
import { isKnownKind, tellOfUnknown, unknownIn } from "../../core/unknown-state.ts";
import { upgradeEffect, upgradeState, type Known } from "../../core/upgrade.ts";
import { assert } from "../../lib/assert.ts";
import type { Store, StoredAggregate, Transaction } from "../../ports/store.ts";
import { saveState } from "../engine/save-state.ts";

/** So few that a page takes no longer than a moment, and so many that a year takes no minute. */
const PAGE_ROWS = 500;

type Upgraded = { upgraded: number; unknown: number };

/**
 * In steps of one page, each a transaction: a start that is killed between two of them finds the
 * rest as it was. An older version kept what is over among what is alive; it is archived here.
 */
export async function upgradeJournal(store: Store, at: number): Promise<Upgraded> {
  const known = { at, config: plainConfig() };
  const wakes = new Map((await store.due(Infinity)).map(({ id, wakeAt }) => [id, wakeAt]));
  const sum: Upgraded = { upgraded: 0, unknown: 0 };
  await upgradeOutbox(store);
  let after: AggregateId | undefined;
  for (;;) {
    const limit = PAGE_ROWS;
    const page = await store.page(after === undefined ? { limit } : { after, limit });
    const counted = await upgradePage(store, { page, wakes, known });
    sum.upgraded += counted.upgraded;
    sum.unknown += counted.unknown;
    if (page.length < limit) return sum;
    after = page.at(-1)?.id;
  }
}

/** What waits to be carried out under an older name waits under the name that this version knows. */
async function upgradeOutbox(store: Store): Promise<void> {
  const older = (await store.outbox()).flatMap(({ key, lane, aggregate, effect: before }) => {
    const effect = upgradeEffect(before);
    return effect === undefined ? [] : [{ key, lane, aggregate, effect }];
  });
  if (older.length === 0) return;
  await store.transaction(async (tx) => {
    for (const row of older) {
      await tx.settle(row.key);
      await tx.enqueue(row);
    }
  });
}

type Page = { page: StoredAggregate[]; wakes: Map<AggregateId, number>; known: Known };

async function upgradePage(store: Store, { page, wakes, known }: Page): Promise<Upgraded> {
  // A deadline that the older version computed differently would come too early or too late.
  const isOlder = ({ id, state }: StoredAggregate): boolean =>
    isKnownKind(id) &&
    (upgradeState(state, known) !== state ||
      deadlineOf(state) !== wakes.get(id) ||
      historyOf(state) !== undefined);
  const older = page.filter(isOlder);
  const strange = page.flatMap((stored) => {
    const what = unknownIn(stored.id, stored.state);
    return what === undefined ? [] : [{ ...stored, what }];
  });
  const counted = { upgraded: older.length, unknown: strange.length };
  if (older.length + strange.length === 0) return counted;
  await store.transaction(async (tx) => {
    // Whole: a page has projects without their backlogs.
    for (const { id } of older) {
      const stored = await tx.load(id);
      if (stored !== undefined) await saveState(tx, id, upgradeState(stored.state, known));
    }
    for (const one of strange) await reportUnknown(tx, one, known.at);
  });
  return counted;
}

/** An archived state is brought to this version's shape when it is read, not before. */
export function upgradeWhenRead(store: Store, at: number): Store {
  const known = { at, config: plainConfig() };
  const upgraded = (stored: StoredAggregate): StoredAggregate =>
    stored.isArchived === true && isKnownKind(stored.id)
      ? { ...stored, state: upgradeState(stored.state, known) }
      : stored;
  const load =
    (from: Pick<Transaction, "load">): Store["load"] =>
    async (id) => {
      const stored = await from.load(id);
      return stored === undefined ? undefined : upgraded(stored);
    };
  return {
    ...store,
    load: load(store),
    named: async (query) => (await store.named(query)).map(upgraded),
    transaction: (work) => store.transaction((tx) => work({ ...tx, load: load(tx) })),
  };
}

type Strange = StoredAggregate & { what: string };

/** Nothing wakes it any more, and a person hears of it once. */
async function reportUnknown(
  tx: Transaction,
  { id, state, what }: Strange,
  at: number,
): Promise<void> {
  const key = `${id}:unknown:${what}`;
  if (!(await tx.takeIn(key, at))) return;
  if (!isKnownKind(id)) await tx.save(id, state, undefined);
  const project = projectOf(id);
  const effect = tellOfUnknown(id, what);
  const aggregate = projectAggregate(project);
  await tx.enqueue({ key, lane: `notify:${project}`, aggregate, effect });
}

/** What a pawl.toml that says as little as possible means. */
function plainConfig(): ProjectConfig {
  const text = `[project]\nname = "plain"\ntarget = "main"\n[agent]\nruntime = "script"\n[ci]\nnone = true\n`;
  const parsed = parseConfig(text, "pawl.toml");
  assert(parsed.kind === "valid", "the plainest configuration is valid");
  return parsed.config;
}
