import { expect, test } from "vitest";
import { endedTurn } from "../shared/acp/turn-end.ts";
import { FAILURE } from "./copilot-agent.ts";

const ended = (text: string) =>
  endedTurn({ stopReason: "end_turn" }, { text, failureText: FAILURE }, 1000);

test("a turn that Copilot CLI calls ended has failed where its last words say so", () => {
  expect(ended("Done.")).toEqual({ kind: "ended" });
  expect(ended("I look.Error: 400 the moon is full")).toEqual({
    kind: "failed",
    reason: "Error: 400 the moon is full",
  });
  expect(ended("Error: 503 overloaded").kind).toBe("limited");
  expect(ended("Error: Failed to get response from the AI model; 429 rate limit").kind).toBe(
    "limited",
  );
});

test("an error that the model itself speaks of is none of the turn", () => {
  expect(ended("It answers:\nError: 500 oops\nI fix that.")).toEqual({ kind: "ended" });
  expect(ended("The page says Error: 404 not found")).toEqual({ kind: "ended" });
});
