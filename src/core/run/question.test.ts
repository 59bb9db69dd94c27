import { expect, test } from "vitest";
import { contextAt, escalated, HEAD, testRun } from "../../../test/support/run.ts";
import { answeredThere, asked, raiseQuestion } from "./question.ts";

const QUESTION = { id: "q1", text: "Overwrite?", choices: ["Yes", "No"] };

test("a question is put before a person at once, with its choices", () => {
  const run = asked(testRun(), QUESTION, contextAt(5));
  expect(run.stage).toMatchObject({
    kind: "escalated",
    escalation: {
      reason: "the agent asks: Overwrite?  [1) Yes  2) No]",
      question: QUESTION,
    },
  });
});

test("a question during another one, or while others work, is asked later", () => {
  const busy = asked(testRun({ stage: escalated("other") }), QUESTION, contextAt());
  expect(busy.stage).toMatchObject({ escalation: { reason: "other" } });
  const free = { ...busy, stage: { kind: "working" as const } };
  expect(raiseQuestion(free, contextAt()).stage.kind).toBe("escalated");
  const queued = asked(testRun({ stage: { kind: "queued", head: HEAD } }), QUESTION, contextAt());
  expect(queued.stage.kind).toBe("queued");
});

test("only the same question is closed by an answer at the terminal", () => {
  const run = asked(testRun(), QUESTION, contextAt());
  expect(answeredThere(run, "q2")).toBe(run);
  const closed = answeredThere(run, "q1");
  expect(closed.stage.kind).toBe("working");
  expect(raiseQuestion(closed, contextAt())).toBe(closed);
  const other = { ...run, stage: escalated("other") };
  expect(answeredThere(other, "q1").stage).toEqual(escalated("other"));
});
