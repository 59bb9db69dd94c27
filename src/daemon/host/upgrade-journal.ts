// Brings the states of a journal that an older Pawl wrote to this Pawl's shape, once, before
// anything is decided on them. Sessions that live go on living: only what is missing is added. What
// this Pawl does not know is left alone, and a person is told.
import { parseConfig } from "../../config/parse.ts";
import type { ProjectConfig } from "../../core/config.ts";
import { projectAggregate, projectOf } from "../../core/ids.ts";
import { deadlineOf } from "../../core/step.ts";
import { isKnownKind, tellOfUnknown, unknownIn } from "../../core/unknown-state.ts";
import { upgradeState } from "../../core/upgrade.ts";
import { assert } from "../../lib/assert.ts";
import type { Store, StoredAggregate, Transaction } from "../../ports/store.ts";

type Upgraded = { upgraded: number; unknown: number };

export async function upgradeJournal(store: Store, at: number): Promise<Upgraded> {
  const known = { at, config: plainConfig() };
  const all = await store.aggregates();
  const wakes = new Map((await store.due(Infinity)).map(({ id, wakeAt }) => [id, wakeAt]));
  // A deadline that the older version computed differently would come too early or too late.
  const isOlder = ({ id, state }: StoredAggregate): boolean =>
    isKnownKind(id) &&
    (upgradeState(state, known) !== state || deadlineOf(state) !== wakes.get(id));
  const older = all.filter(isOlder);
  const strange = all.flatMap((stored) => {
    const what = unknownIn(stored.id, stored.state);
    return what === undefined ? [] : [{ ...stored, what }];
  });
  const counted = { upgraded: older.length, unknown: strange.length };
  if (older.length + strange.length === 0) return counted;
  await store.transaction(async (tx) => {
    for (const { id, state } of older) {
      const upgraded = upgradeState(state, known);
      await tx.save(id, upgraded, deadlineOf(upgraded));
    }
    for (const one of strange) await putAside(tx, one, at);
  });
  return counted;
}

type Strange = StoredAggregate & { what: string };

/** Nothing wakes it any more, and a person hears of it once. */
async function putAside(tx: Transaction, { id, state, what }: Strange, at: number): Promise<void> {
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
