import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import { historySchema } from "../../api/history.ts";
import { runAggregate, runId } from "../../core/ids.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { saveState } from "../engine/save-state.ts";
import { historyView } from "./history.ts";

const PROJECT = testRun().project;

test("pages follow one another until the last, and none says more than it was asked for", async () => {
  const store = createMemoryStore();
  await store.transaction(async (tx) => {
    for (let n = 1; n <= 5; n += 1) {
      const id = runId(`${n}.1`);
      const outcome = { kind: "blocked", reason: `reason ${n}` } as const;
      const change = {
        id,
        outcome,
        endedAt: n,
        session: undefined,
        stage: { kind: "ended" },
      } as const;
      await saveState(tx, runAggregate(PROJECT, id), testRun(change));
    }
  });
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = historySchema.parse(await historyView(store, { kind: "run", limit: 2, after }));
    expect(page.rows.length).toBeLessThanOrEqual(2);
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(ids).toEqual(["5.1", "4.1", "3.1", "2.1", "1.1"]);
  const [row] = (await historyView(store, { kind: "run", limit: 1 })).rows;
  expect(row).toMatchObject({ project: PROJECT, outcome: "blocked", last_words: "reason 5" });
});

test("an invalid cursor is refused", async () => {
  const asked = historyView(createMemoryStore(), { kind: "run", limit: 1, after: "yesterday" });
  await expect(asked).rejects.toMatchObject({ code: "usage" });
});
