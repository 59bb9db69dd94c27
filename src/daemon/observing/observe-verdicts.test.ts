import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { filed, toy } from "../../../test/support/vault.ts";
import type { Event } from "../../core/event.ts";
import { vaultAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { VaultItem } from "../../core/vault/item.ts";
import { noCrash } from "../../lib/crash-point.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Comment, Forge } from "../../ports/forge.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { observeVerdicts } from "./observe-verdicts.ts";
import { createLoop } from "../engine/loop.ts";

const ID = vaultAggregate(toy, "v1");

async function lookedAt(
  comments: Partial<Comment>[],
  { operators = ["Ann"], posted = "10" }: { operators?: string[]; posted?: string } = {},
): Promise<VaultItem> {
  const store = createMemoryStore();
  const loop = createLoop({ store, crash: noCrash, onCommitted: () => undefined });
  await loop.submit({ to: ID, event: filed({ at: 1000, operators }) as Event });
  if (posted !== "") {
    const event = { kind: "question-posted", at: 1500, since: 1000, comment: posted } as const;
    await loop.submit({ to: ID, event });
  }
  const config = { ...testConfig(), forge: { operators } } as unknown as Project["config"];
  const project = { name: toy, config } as Project;
  const all = comments.map((one, index) => ({
    id: String(index + 11),
    author: "ann",
    body: "",
    createdAt: 2000,
    ...one,
  }));
  const forge = { comments: async () => all } as unknown as Forge;
  const clock = { now: () => 3000 } as Clock;
  // Every look sees every comment again.
  for (const _ of [1, 2]) await observeVerdicts({ store, loop, clock }, project, forge);
  const state = (await store.load(ID))?.state;
  if (state?.kind !== "vault") throw new Error("the item is gone");
  return state;
}

test("an operator's comment on the issue approves or rejects, in upper or lower case", async () => {
  const approved = await lookedAt([{ body: "Fine.\nAPPROVE v1" }]);
  expect(approved.stage).toMatchObject({ kind: "firing", attempt: 1, approval: { by: "ann" } });
  const rejected = await lookedAt([{ body: "REJECT v1: not now" }]);
  expect(rejected.stage).toMatchObject({ kind: "ended", end: "rejected", text: "not now" });
});

test("a comment that names the hash approves only that payload", async () => {
  const wrong = await lookedAt([{ body: `APPROVE v1 sha256:${"0".repeat(12)}` }]);
  expect(wrong.stage.kind).toBe("waiting");
  expect(wrong.log.at(-1)?.text).toContain("another payload");
  expect(wrong.log, "taken in once").toHaveLength(2);
  const right = await lookedAt([{ body: `APPROVE v1 sha256:${wrong.hash.slice(0, 12)}` }]);
  expect(right.stage.kind).toBe("firing");
});

test("no other comment decides: strangers, Pawl itself, older comments, other ids, no operators", async () => {
  const nothing: Partial<Comment>[] = [
    { body: "APPROVE v1", author: "mallory" },
    { body: "APPROVE v1", own: true },
    { body: "APPROVE v1", id: "9" },
    { body: "APPROVE v2" },
    { body: "> APPROVE v1" },
  ];
  expect((await lookedAt(nothing)).stage.kind).toBe("waiting");
  const word = [{ body: "APPROVE v1" }];
  expect((await lookedAt(word, { operators: [] })).stage.kind).toBe("waiting");
  expect((await lookedAt(word, { posted: "" })).stage.kind, "it was not asked there yet").toBe(
    "waiting",
  );
});
