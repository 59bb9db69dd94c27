import { expect, test } from "vitest";
import { projectName, type AggregateId } from "./ids.ts";
import { step, type AggregateState } from "./step.ts";
import { unknownIn, UNKNOWN_EFFECT } from "./unknown-state.ts";

const project = projectName("toy");
const DREAM = "dream:toy/1" as AggregateId;
const dream = { kind: "dream", project } as unknown as AggregateState;

const action = (kind: string): AggregateState =>
  ({ kind: "action", project, issue: 1, title: "One", attempt: 1, stage: { kind } }) as never;

const formula = (kind: string): AggregateState =>
  ({ kind: "formula", project, id: "f", steps: { one: { kind } } }) as never;

test("a kind, a stage and a step that only another version knows are named", () => {
  expect(unknownIn(DREAM, dream)).toBe('"dream"');
  expect(unknownIn("action:toy/1", action("dreaming"))).toBe('the stage "dreaming"');
  expect(unknownIn("formula:toy/f", formula("dreaming"))).toBe('a step that is "dreaming"');
});

test("what this version knows is not strange", () => {
  expect(unknownIn("action:toy/1", action("beginning"))).toBeUndefined();
  expect(unknownIn("formula:toy/f", formula("waiting"))).toBeUndefined();
});

test("nothing is decided on an unknown kind", () => {
  const { state, output } = step(DREAM, dream, { kind: "clock-jumped", at: 1, gapMs: 5 });
  expect(state).toBe(dream);
  expect(output).toMatchObject({ effects: [], tells: [] });
});

test("an effect of an unknown kind becomes a question of the run that wanted it", () => {
  const obligation = { key: "q:dream", lane: "q", effect: { kind: "dream" } as never };
  const failed = { obligation, code: UNKNOWN_EFFECT, message: 'cannot carry out "dream"' };
  const { output } = step("action:toy/1", action("beginning"), {
    kind: "effect-failed",
    at: 1,
    failed,
  });
  expect(output.effects).toEqual([
    expect.objectContaining({
      effect: expect.objectContaining({ kind: "notify", severity: "urgent" }),
    }),
  ]);
  expect(JSON.stringify(output.effects)).toContain('cannot carry out \\"dream\\"');
});
