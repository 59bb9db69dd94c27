import { expect, test } from "vitest";
import { projectName } from "../ids.ts";
import { newPatrol, noted, STEPS } from "./patrol.ts";

test("the deacon has the steps of its formula, in their order", () => {
  expect(STEPS.deacon.join(" ")).toBe(
    "inbox-check trigger-pending-spawns gate-evaluation health-scan plugin-run orphan-check session-gc context-check loop-or-exit",
  );
  expect(STEPS.witness).toEqual(["survey-workers", "ping-deacon"]);
});

test("a note replaces the one before of the same step", () => {
  const patrol = newPatrol(projectName("toy"), "deacon");
  const twice = noted(noted(patrol, "inbox-check", { at: 1, text: "a" }), "inbox-check", {
    at: 2,
    text: "b",
  });
  expect(twice.notes).toEqual({ "inbox-check": { at: 2, text: "b" } });
});
