import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseFormula } from "../../config/formula/parse-formula.ts";
import { emptyOutput } from "../../core/effect.ts";
import { patrolAggregate, projectName } from "../../core/ids.ts";
import { PATROL_NAMES, STEPS } from "../../core/patrol/patrol.ts";
import { stepPatrol } from "../../core/patrol/step-patrol.ts";
import { createMemoryStore } from "../../store/memory.ts";
import type { BuiltinContext } from "./builtin.ts";
import { patrolStep } from "./patrol-step.ts";

test.each(PATROL_NAMES)("the formula of the %s has the steps that its patrol has", (name) => {
  const file = join(import.meta.dirname, `../../../formulas/mol-${name}-patrol.toml`);
  const parsed = parseFormula(readFileSync(file, "utf8"), file);
  expect(parsed.kind).toBe("valid");
  if (parsed.kind !== "valid") return;
  expect(parsed.formula.steps.map(({ id }) => id)).toEqual(STEPS[name]);
  expect(parsed.formula.steps.map(({ action }) => action)).toEqual(
    STEPS[name].map((step) => ({
      kind: "builtin",
      name: "patrol-step",
      with: { patrol: name, step },
    })),
  );
});

test("a run of the formula reads what the native patrol last did", async () => {
  const project = projectName("toy");
  const store = createMemoryStore();
  const read = (inputs: Record<string, string>) =>
    patrolStep.run({ with: inputs, project, store } as unknown as BuiltinContext);
  const step = { patrol: "deacon", step: "loop-or-exit" };
  expect(await read(step)).toEqual({ kind: "done", output: "nothing to do so far" });
  const event = { kind: "patrol-restarted", at: 0, project, name: "deacon", by: "ada" } as const;
  const state = stepPatrol(undefined, event, emptyOutput());
  await store.transaction(async (tx) => {
    if (state !== undefined) await tx.save(patrolAggregate(project, "deacon"), state, undefined);
  });
  expect(await read(step)).toEqual({
    kind: "done",
    output: "1970-01-01T00:00:00.000Z restarted by ada",
  });
  expect(await read({ patrol: "deacon", step: "nap" })).toMatchObject({ kind: "failed" });
});
