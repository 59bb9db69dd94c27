import { expect, test } from "vitest";
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import { OpenQuestions } from "../shared/agent-host/open-questions.ts";
import { readAsked } from "./questions.ts";

const COMMAND = "item/commandExecution/requestApproval";
const command = (id: number) => readAsked(id, COMMAND, { command: `make ${id}`, reason: null });

test("an approval is a question with Codex's own decisions as choices", () => {
  expect(command(1)?.text).toBe("Codex asks to run: make 1");
  expect(command(1)?.choices.map(({ result }) => result)).toEqual(
    ["accept", "acceptForSession", "decline", "cancel"].map((decision) => ({ decision })),
  );
});

test("a question of the model keeps its options, and may always be left to the model", () => {
  const questions = [{ id: "q1", question: "Which colour?", options: [{ label: "Red" }] }];
  const ask = readAsked(2, "item/tool/requestUserInput", { questions });
  expect(ask?.choices.map(({ words }) => words)).toEqual([
    "Red",
    "Decide yourself, and say what you assumed",
  ]);
  expect(ask?.choices[0]?.result).toEqual({ answers: { q1: { answers: ["Red"] } } });
});

test("what only the screen of Codex can answer is no question", () => {
  expect(readAsked(3, "account/chatgptAuthTokens/refresh", {})).toBeUndefined();
});

test("questions reach a person one at a time, also where one is answered at the screen", () => {
  const events: DriverEvent[] = [];
  const open = new OpenQuestions((event) => events.push(event));
  for (const id of [1, 2, 3]) open.add(command(id));
  expect(open.take("ask-1", 2)).toEqual({ id: 1, result: { decision: "decline" } });
  open.resolved(2);
  open.allResolved();
  open.allResolved();
  const told = events.map((event) => ("id" in event ? `${event.kind} ${event.id}` : event.kind));
  expect(told).toEqual([
    "question ask-1",
    "question ask-2",
    "answered ask-2",
    "question ask-3",
    "answered ask-3",
  ]);
  expect(open.take("ask-3", 0)).toBeUndefined();
});
