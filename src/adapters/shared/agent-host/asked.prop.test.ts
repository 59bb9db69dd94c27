// For every question: the choice that a person takes is the one that the agent is answered with, from
// the spool through the run to the message and back.
import fc from "fast-check";
import { expect, test } from "vitest";
import { choiceOf } from "../../../core/run/escalate.ts";
import { questionLine } from "../../../core/session/answer-key.ts";
import { parseSpool } from "../../../core/session/spool.ts";
import { answer } from "../../../core/words/messages.ts";
import { Asked } from "./asked.ts";
import type { Driver } from "./driver.ts";
import { report } from "./reports.ts";

/** What a person reads, and which choice the agent gets when a person takes the one at `index`. */
async function taken(choices: string[], index: number, id = "q1") {
  const question = { kind: "question", id, text: "Which?", choices } as const;
  let line = "";
  await report(question, async (fact) => void (line = JSON.stringify({ v: 1, ...fact })));
  const parsed = parseSpool(line);
  if (parsed.kind !== "event" || parsed.event.kind !== "question") throw new Error(line);
  const shown = parsed.event.choices;
  const calls: number[] = [];
  const driver = { answer: async (_: string, choice: number) => void calls.push(choice) };
  const asked = new Asked({
    driver: driver as unknown as Driver,
    spool: async () => undefined,
    onAnswered: () => undefined,
  });
  asked.hear(question);
  const text = choiceOf(parsed.event, String(shown[index]));
  const named = questionLine(parsed.event);
  await asked.answerBy(`Id: m1\nKind: answer\n${named}\n\n${answer("ann", String(text))}\n`);
  return { shown, calls };
}

const words = fc.constantFrom("Allow", "allow", "Always", "x".repeat(250), `${"x".repeat(250)}y`);
const labels = fc.oneof(
  words,
  fc.tuple(words, words).map(([one, other]) => `${one}\n  ${other}`),
);

test("the choice that a person takes is the agent's, however many and long they are", async () => {
  const question = fc
    .array(labels, { minLength: 1, maxLength: 20 })
    .chain((choices) => fc.tuple(fc.constant(choices), fc.nat(choices.length - 1)));
  await fc.assert(
    fc.asyncProperty(question, async ([choices, index]) => {
      expect((await taken(choices, index)).calls).toEqual([index]);
    }),
    { numRuns: 200 },
  );
});

test("however the agent names its question, the answer finds it", async () => {
  const ids = fc.stringMatching(/^[ -~\n\t]{0,300}\w[ -~\n]{0,5}$/);
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      expect((await taken(["Yes", "No"], 1, id)).calls).toEqual([1]);
    }),
    { numRuns: 200 },
  );
});

test("the number of the tenth choice, typed at the pane, is an answer too", async () => {
  const choices = Array.from({ length: 12 }, (_, index) => `way ${index}`);
  expect((await taken(choices, 9)).shown[9]).toBe("way 9");
  const calls: number[] = [];
  const driver = { answer: async (_: string, choice: number) => void calls.push(choice) };
  const asked = new Asked({
    driver: driver as unknown as Driver,
    spool: async () => undefined,
    onAnswered: () => undefined,
  });
  asked.hear({ kind: "question", id: "q1", text: "Which?", choices });
  await asked.answerBy("Id: typed\nKind: answer\n\n10");
  expect(calls).toEqual([9]);
});
