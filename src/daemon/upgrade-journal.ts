// Brings the states of a journal that an older Pawl wrote to this Pawl's shape, once, before
// anything is decided on them. Sessions that live go on living: only what is missing is added.
import { parseConfig } from "../config/parse.ts";
import type { ProjectConfig } from "../core/config.ts";
import { deadlineOf } from "../core/step.ts";
import { upgradeState } from "../core/upgrade.ts";
import { assert } from "../lib/assert.ts";
import type { Store } from "../ports/store.ts";

export async function upgradeJournal(store: Store, at: number): Promise<{ upgraded: number }> {
  const known = { at, config: plainConfig() };
  const older = (await store.aggregates()).filter(
    ({ state }) => upgradeState(state, known) !== state,
  );
  if (older.length === 0) return { upgraded: 0 };
  await store.transaction(async (tx) => {
    for (const { id, state } of older) {
      const upgraded = upgradeState(state, known);
      await tx.save(id, upgraded, deadlineOf(upgraded));
    }
  });
  return { upgraded: older.length };
}

/** What a pawl.toml that says as little as possible means. */
function plainConfig(): ProjectConfig {
  const text = `[project]\nname = "plain"\ntarget = "main"\n[agent]\nruntime = "script"\n[ci]\nnone = true\n`;
  const parsed = parseConfig(text, "pawl.toml");
  assert(parsed.kind === "valid", "the plainest configuration is valid");
  return parsed.config;
}
