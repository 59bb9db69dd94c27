import { expect, test } from "vitest";
import { commitId, projectName } from "../../core/ids.ts";
import type { ForgeUnderTest } from "../../ports/forge-under-test.ts";
import { forgeContract } from "../../ports/forge.contract.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Store } from "../../ports/store.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createBuiltinForge } from "./builtin-forge.ts";

const demo = projectName("demo");
const onStore = (store: Store, project = demo): Forge =>
  createBuiltinForge({ store, project, now: () => 1_000 });

async function open(): Promise<ForgeUnderTest> {
  const store = createMemoryStore();
  let pushed = 0;
  return {
    forge: onStore(store),
    async push() {
      pushed += 1;
      return commitId(String(pushed).padStart(40, "0"));
    },
    land: async () => undefined,
    close: () => store.close(),
  };
}

forgeContract("the built-in tracker", open);

const issue = { title: "t", body: "", labels: [], key: "k", author: "ann" };

test("two projects number their issues apart", async () => {
  const store = createMemoryStore();
  for (const name of ["one", "two"]) {
    const forge = onStore(store, projectName(name));
    expect((await forge.createIssue(issue)).number).toBe(1);
    expect(await forge.issues({ state: "all" })).toHaveLength(1);
  }
});

test("a call that dies in its transaction leaves nothing, and a repeat makes it once", async () => {
  const store = createMemoryStore();
  const dying: Store = {
    ...store,
    transaction: (work) =>
      store.transaction(async (tx) => {
        await work(tx);
        throw new Error("killed");
      }),
  };
  await expect(onStore(dying).createIssue(issue)).rejects.toThrow("killed");
  expect(await onStore(store).issues({ state: "all" })).toEqual([]);
  for (let call = 0; call < 2; call += 1) {
    expect((await onStore(store).createIssue(issue)).number).toBe(1);
  }
  expect(await onStore(store).issues({ state: "all" })).toHaveLength(1);
});

test("a repeated call is answered with its own PR, even after that one has ended", async () => {
  const forge = onStore(createMemoryStore());
  const head = commitId("a".repeat(40));
  const input = { branch: "b", head, target: "main", title: "t", body: "", issue: 1 };
  const first = await forge.ensurePr({ ...input, key: "one" });
  await forge.ensurePr({ ...input, key: "two" });
  await forge.finishPr(first.number, { state: "merged", mergedAs: head });
  for (const key of ["one", "two"]) {
    const again = await forge.ensurePr({ ...input, key });
    expect(again).toMatchObject({ number: first.number, state: "merged" });
  }
  expect((await forge.ensurePr({ ...input, key: "three" })).number).not.toBe(first.number);
});

test("merging a closed PR leaves its branch's new PR open", async () => {
  const forge = onStore(createMemoryStore());
  const head = commitId("a".repeat(40));
  const input = { branch: "b", head, target: "main", title: "t", body: "", issue: 1 };
  const first = await forge.ensurePr({ ...input, key: "one" });
  await forge.finishPr(first.number, { state: "closed" });
  const second = await forge.ensurePr({ ...input, key: "two" });
  await forge.finishPr(first.number, { state: "merged", mergedAs: head });
  expect(await forge.prs({ state: "open" })).toEqual([second]);
});
