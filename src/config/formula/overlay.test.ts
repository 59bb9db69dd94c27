import { expect, test } from "vitest";
import { formatProblems } from "../problem.ts";
import { chooseFormula } from "./overlay.ts";

const BASE = {
  file: "release.toml",
  text: `name = "release"
[[steps]]
id = "build"
description = "Build it."
run = "make"
[[steps]]
id = "check"
needs = ["build"]
run = "make check"
[[steps]]
id = "ship"
needs = ["check"]
run = "make ship"
`,
};

const over = (text: string) =>
  chooseFormula({ builtIn: BASE, own: { file: ".pawl/formulas/release.toml", text } });

function steps(text: string): unknown {
  const chosen = over(text);
  if (chosen.kind !== "valid") return problems(text);
  return chosen.formula.steps.map(({ id, needs, description, action }) => ({
    id,
    needs,
    description,
    action: action.kind,
  }));
}

function problems(text: string): string {
  const chosen = over(text);
  return chosen.kind === "invalid" ? formatProblems(chosen.problems) : chosen.kind;
}

test("an override replaces parts of a step, adds to its description, or takes it out", () => {
  expect(
    steps(`
[[step-overrides]]
step_id = "build"
mode = "append"
description = "With care."
[[step-overrides]]
step_id = "check"
mode = "skip"
[[step-overrides]]
step_id = "ship"
gate = "human"
`),
  ).toEqual([
    { id: "build", needs: [], description: "Build it.\n\nWith care.", action: "run" },
    { id: "ship", needs: ["build"], description: "", action: "gate" },
  ]);
});

test("a project's own file with steps is the whole formula", () => {
  expect(steps(`name = "release"\n[[steps]]\nid = "only"\nrun = "true"`)).toEqual([
    { id: "only", needs: [], description: "", action: "run" },
  ]);
});

test("without a file of its own the built-in formula counts, and without either there is none", () => {
  expect(chooseFormula({ builtIn: BASE, own: undefined }).kind).toBe("valid");
  expect(chooseFormula({ builtIn: undefined, own: undefined })).toEqual({ kind: "missing" });
});

test("what is wrong is told with the overlay's own line", () => {
  expect(problems(`[[step-overrides]]\nstep_id = "chek"\nmode = "skip"`)).toMatchInlineSnapshot(
    `".pawl/formulas/release.toml:2: step-overrides[0].step_id is "chek", which is not a step of this formula. Did you mean "check"?"`,
  );
  expect(problems(`[[step-overrides]]\nstep_id = "ship"\nmode = "drop"`)).toMatchInlineSnapshot(
    `".pawl/formulas/release.toml:3: step-overrides[0].mode is "drop". Write one of replace, append, skip."`,
  );
  expect(problems(`[[step-overrides]]\nstep_id = "ship"\nneeds = ["x"]`)).toMatchInlineSnapshot(
    `".pawl/formulas/release.toml:3: step "ship" needs "x", which is not a step. Steps are build, check, ship."`,
  );
  expect(problems(`[[step-overrides]]\nstep_id = "ship"\nrn = "x"`)).toMatchInlineSnapshot(
    `".pawl/formulas/release.toml:3: steps[2].rn is not a known key. Did you mean "run"?"`,
  );
  expect(problems(`[[step-overrides]]\nmode = "skip"`)).toMatchInlineSnapshot(
    `".pawl/formulas/release.toml:1: step-overrides[0].step_id is missing. Write the id of a step."`,
  );
  expect(
    problems(`[[step-overrides]]\nstep_id = "ship"\nmode = "append"\nrun = "x"`),
  ).toMatchInlineSnapshot(
    `".pawl/formulas/release.toml:1: step-overrides[0] may only append to the description. Use mode = "replace" for the rest."`,
  );
  const alone = chooseFormula({
    builtIn: undefined,
    own: { file: "mine.toml", text: `[[step-overrides]]\nstep_id = "a"` },
  });
  expect(alone.kind === "invalid" && formatProblems(alone.problems)).toMatchInlineSnapshot(
    `"mine.toml:1: step-overrides have nothing to change: no formula of this name comes with Pawl. Write [[steps]]."`,
  );
});
