import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import type { DriverEvent } from "../agent-host/driver.ts";
import { Questions } from "./questions.ts";

const permission = (command: string): RequestPermissionRequest => ({
  sessionId: "s",
  toolCall: { toolCallId: command, title: command },
  options: [
    { optionId: `allow ${command}`, name: "Allow", kind: "allow_once" },
    { optionId: `reject ${command}`, name: "Reject", kind: "reject_once" },
  ],
});

function opened() {
  const told: string[] = [];
  const questions = new Questions((event: DriverEvent) => {
    if (event.kind === "question") told.push(`${event.id}: ${event.text}`);
    if (event.kind === "answered") told.push(`${event.id} answered`);
  });
  return { questions, told };
}

const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
const CANCELLED = { outcome: { outcome: "cancelled" } };

test("two sub-agents that ask at once: a person reads one question at a time, and answers that one", async () => {
  const { questions, told } = opened();
  const first = questions.permission(permission("make one"));
  const second = questions.permission(permission("make two"));
  expect(told).toEqual(["ask-1: The agent asks for permission: make one"]);
  questions.answer("ask-1", 0);
  expect(await first).toEqual(selected("allow make one"));
  expect(told[1]).toBe("ask-2: The agent asks for permission: make two");
  questions.answer("ask-2", 1);
  expect(await second).toEqual(selected("reject make two"));
  expect(told).toHaveLength(2);
});

test("an interrupted turn cancels every question, also those that no person has read yet", async () => {
  const { questions, told } = opened();
  const both = ["one", "two"].map((command) => questions.permission(permission(command)));
  questions.cancelAll();
  expect(await Promise.all(both)).toEqual([CANCELLED, CANCELLED]);
  expect(told.slice(1)).toEqual(["ask-1 answered"]);
});

test("an answer that is no choice of the question leaves it open", async () => {
  const { questions } = opened();
  const asked = questions.permission(permission("one"));
  questions.answer("ask-1", 2);
  questions.answer("ask-9", 0);
  questions.answer("ask-1", 1);
  expect(await asked).toEqual(selected("reject one"));
});
