import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { testRun } from "../../../test/support/run.ts";
import type { Run } from "../../core/run/run.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Comment, Forge } from "../../ports/forge.ts";
import { observeAnswers } from "./observe-answers.ts";
import type { Input } from "../engine/loop.ts";

async function taken(comments: Partial<Comment>[]): Promise<unknown[]> {
  const escalation = { posted: "10", since: 3 };
  const config = { ...testConfig(), forge: { operators: ["Ann"] } };
  const asked = { ...testRun(), config, stage: { kind: "escalated", escalation } };
  const sent: Input[] = [];
  const loop = { submit: async (input: Input) => sent.push(input) > 0 };
  const all = comments.map((one, index) => ({ id: String(11 + index), author: "ann", ...one }));
  const forge = { comments: async () => all } as unknown as Forge;
  await observeAnswers({ loop, clock: { now: () => 5 } as Clock }, asked as unknown as Run, forge);
  // Another question may be open when it arrives: it says which one it is for.
  for (const { event } of sent) expect(event).toMatchObject({ since: 3 });
  return sent.map(({ event }) => ("text" in event ? event.text : event.kind));
}

test("an operator's first word after the question answers it; a word about the vault does not", async () => {
  const blue = { body: "blue" };
  expect(await taken([{ body: "APPROVE v1" }, blue, { body: "red" }])).toEqual(["blue"]);
  expect(await taken([{ body: "REJECT v1: no" }])).toEqual([]);
  expect(await taken([{ ...blue, author: "mallory" }])).toEqual([]);
  expect(await taken([{ ...blue, own: true }])).toEqual([]);
  expect(await taken([{ ...blue, id: "9" }])).toEqual([]);
});
