import { expect, test } from "vitest";
import { contextAt, testRun } from "../../../test/support/run.ts";
import { taskRun, testTask } from "../../../test/support/task.ts";
import { answered, escalate } from "./escalate.ts";
import { questionPosted } from "./ask-on-forge.ts";
import type { Run } from "./run.ts";

const FORGE = { kind: "gitea", url: "https://x", owner: "o", repo: "r" } as const;

function escalated(operators: string[] | undefined, choices: string[] = []) {
  const base = testRun();
  const forge = operators === undefined ? FORGE : { ...FORGE, operators };
  const run: Run = { ...base, config: { ...base.config, forge } };
  const context = contextAt(10);
  const question = choices.length === 0 ? {} : { question: { id: "q", text: "which?", choices } };
  return { run: escalate(run, { reason: "help", ...question }, context), context };
}

const comments = (context: ReturnType<typeof contextAt>) =>
  context.output.effects.filter(({ effect }) => effect.kind === "say-on-issue");

test("a question is put on the issue only where an operator can answer it there", () => {
  expect(comments(escalated(["ann"]).context)).toMatchObject([
    { key: "run:toy/42.1:ask:10", effect: { on: 42, since: 10 } },
  ]);
  expect(comments(escalated(undefined).context)).toEqual([]);
});

test("the comment of this very question is remembered, not that of an earlier one", () => {
  const { run } = escalated(["ann"]);
  const posted = (since: number) =>
    questionPosted(run, { kind: "question-posted", at: 11, since, comment: "77" });
  expect(posted(10).stage).toMatchObject({ escalation: { posted: "77" } });
  expect(posted(9)).toBe(run);
});

test("an answer by a comment is acknowledged there once, one by the command nowhere", () => {
  const { run } = escalated(["ann"]);
  const context = contextAt(12);
  const comment = { id: "78", on: 43 };
  const next = answered(run, { by: "ann", text: "go on", comment }, context);
  expect(next.stage.kind).toBe("working");
  expect(comments(context)).toMatchObject([
    { key: "run:toy/42.1:answered:78", effect: { on: 43, body: expect.stringContaining("@ann") } },
  ]);
  const silent = contextAt(12);
  answered(run, { by: "ann", text: "go on" }, silent);
  expect(comments(silent)).toEqual([]);
});

test("a comment that is none of the choices is said to be none, and is not read again", () => {
  const { run } = escalated(["ann"], ["red", "blue"]);
  const context = contextAt(12);
  const reply = { by: "ann", text: "green", comment: { id: "78", on: 42 } };
  expect(answered(run, reply, context).stage).toMatchObject({
    kind: "escalated",
    escalation: { read: "78" },
  });
  expect(comments(context)).toMatchObject([{ key: "run:toy/42.1:misfit:78" }]);
});

test("a task asks on the issue it is about, where it is about one", () => {
  const askedBy = (issue: number | undefined) => {
    const base = taskRun({}, testTask(issue === undefined ? {} : { issue }));
    const config = { ...base.config, forge: { ...FORGE, operators: ["ann"] } };
    const context = contextAt(10);
    escalate({ ...base, config }, { reason: "help" }, context);
    return comments(context);
  };
  expect(askedBy(7)).toMatchObject([{ effect: { on: 7 } }]);
  expect(askedBy(undefined)).toEqual([]);
});
