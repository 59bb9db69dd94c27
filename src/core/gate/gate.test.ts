import { expect, test } from "vitest";
import { asksPerson, askedSince, isObserved, type Gate } from "./gate.ts";
import type { GateSpec } from "./spec.ts";

test("only what happens outside has to be looked at", () => {
  const specs: GateSpec[] = [
    { kind: "timer", durationMs: 1 },
    { kind: "human", question: "?" },
    { kind: "mail", about: "x" },
    { kind: "vault", item: "x" },
    { kind: "ci", of: "x" },
    { kind: "pr", pr: "1" },
    { kind: "issue", issue: "1" },
    { kind: "command", command: "true", everyMs: 1, timeoutMs: 1 },
  ];
  expect(specs.filter(isObserved).map(({ kind }) => kind)).toEqual([
    "ci",
    "pr",
    "issue",
    "command",
  ]);
});

test("a person is asked about a question at once, and about anything else when it is overdue", () => {
  const gate = { closed: undefined, overdue: false, openedAt: 5, escalateAt: 9 };
  const human = { ...gate, spec: { kind: "human", question: "?" } } as Gate;
  const timer = { ...gate, spec: { kind: "timer", durationMs: 1 } } as Gate;
  const late = { ...timer, overdue: true };
  expect([human, timer, late].map(asksPerson)).toEqual([true, false, true]);
  expect([human, late].map(askedSince)).toEqual([5, 9]);
  expect(asksPerson({ ...late, closed: { at: 10, by: "ada", met: true, reason: "" } })).toBe(false);
});
