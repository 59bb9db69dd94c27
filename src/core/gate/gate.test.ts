import { expect, test } from "vitest";
import { isObserved } from "./gate.ts";
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
