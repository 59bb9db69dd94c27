import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { projectName } from "../../core/ids.ts";
import { actionEffects } from "./action-effects.ts";
import type { EffectContext } from "./executor.ts";

const project = projectName("toy");

function begin(author: string, issue: { state?: string; labels?: string[] } = {}) {
  const config = { ...testConfig(), forge: { owner: "ada" } };
  const found = { number: 7, title: "Clean", body: "Please.", author, state: "open", labels: [] };
  const context = {
    project,
    now: () => 9,
    store: { load: async () => ({ state: { kind: "project", name: project, root: "/", config } }) },
    own: {
      forge: {
        issue: async () => ({ ...found, ...issue }),
        claim: async () => ({ kind: "claimed" }),
        account: async () => ({ login: "bot", reviewer: "bot-review" }),
        comments: async () => [],
      },
    },
  } as unknown as EffectContext;
  return actionEffects["begin-action"]({ kind: "begin-action", issue: 7, claim: "c" }, context);
}

test("an operation is an instruction: only who may instruct, or Pawl itself, has one begun", async () => {
  expect(await begin("ada")).toMatchObject({ work: { kind: "task" } });
  expect(await begin("bot")).toMatchObject({ work: { kind: "task" } });
  expect(await begin("mallory")).toMatchObject({
    work: { kind: "unclear", problem: expect.stringContaining("mallory is not among those") },
  });
});

test("an issue that was closed or blocked since it was seen is not begun", async () => {
  expect(await begin("ada", { state: "closed" })).toMatchObject({ kind: "action-lost" });
  expect(await begin("ada", { labels: ["blocked"] })).toMatchObject({ kind: "action-lost" });
});
