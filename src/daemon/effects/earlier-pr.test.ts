import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import type { Pr } from "../../ports/forge.ts";
import { earlierWork } from "./earlier-pr.ts";
import type { EffectContext } from "./executor.ts";

type Found = Pr & { own: boolean };
const pr = (number: number, change: Partial<Found>): Found =>
  ({
    number,
    title: `PR ${number}`,
    branch: `pawl/42-${number}`,
    target: "main",
    state: "closed",
    own: true,
    head: `head${number}`,
    ...change,
  }) as Found;

const said = (author: string, createdAt: number) => ({ author, body: `by ${author}`, createdAt });

function look(prs: Found[], diff: string | null = "+a\n") {
  const context = {
    project: "toy",
    aggregate: "run:toy/42.1",
    store: { load: async () => ({ state: testRun() }) },
    own: {
      git: {
        fetchTarget: async () => "t",
        changesOf: async () => (diff === null ? undefined : { diff, files: [] }),
      },
      forge: {
        prsOf: async () => prs,
        account: async () => ({ login: "bot", reviewer: "bot-review" }),
        comments: async () => [said("bot", 1), said("bob", 3)],
        reviews: async () => [said("bot-review", 2), { ...said("ann", 4), body: " " }],
      },
    },
  } as unknown as EffectContext;
  return earlierWork(42, context);
}

test("an open PR of Pawl's own onto the target is resumed; a stranger's of the same name is not", async () => {
  const open = { state: "open" } as const;
  expect(await look([pr(1, {}), pr(2, open)])).toMatchObject({
    goesOn: { pr: 2, branch: "pawl/42-2" },
    earlier: { number: 2, state: "open" },
  });
  const others = [{ own: false }, { target: "next" }, { branch: "by-hand" }];
  for (const change of others) expect(await look([pr(2, { ...open, ...change })])).toEqual({});
});

test("the last PR that was closed without being merged is told with its words, without Pawl's own notes", async () => {
  const found = await look([pr(1, {}), pr(3, { own: false }), pr(4, { state: "merged" })]);
  expect(found).toEqual({
    earlier: {
      number: 3,
      title: "PR 3",
      state: "closed",
      said: [
        { author: "bot-review", body: "by bot-review" },
        { author: "bob", body: "by bob" },
      ],
      diff: { text: "+a\n", isCut: false },
    },
  });
});

test("a long difference is cut at 500 lines and says so; one whose commits are gone is left out", async () => {
  const long = Array.from({ length: 501 }, (_, at) => `+${at}`).join("\n");
  const { earlier } = await look([pr(1, {})], long);
  expect(earlier?.diff?.isCut).toBe(true);
  expect(earlier?.diff?.text.split("\n")).toHaveLength(500);
  const wide = await look([pr(1, {})], `+${"x".repeat(50_000)}`);
  expect(wide.earlier?.diff).toMatchObject({ isCut: true });
  expect((await look([pr(1, {})], null)).earlier).not.toHaveProperty("diff");
  expect(await look([])).toEqual({});
});
