import { expect, test } from "vitest";
import { formatProblems } from "../problem.ts";
import { parseFormula, type ParsedFormula } from "./parse-formula.ts";

const FILES: Record<string, string> = {
  base: `name = "base"
description = "As ever."
[vars.what]
default = "it"
[[steps]]
id = "build"
title = "Build {{what}}"
description = "Build it well."
[[steps]]
id = "check"
needs = ["build"]
run = "make check"
[[steps]]
id = "ship"
needs = ["check"]
run = "make ship"
`,
  twice: `name = "twice"
type = "expansion"
[vars.how]
default = "slowly"
[[template]]
id = "{target}-draft"
title = "Draft: {target.title}"
description = "{target.description} Do it {how}."
[[template]]
id = "{target}-polish"
needs = ["{target}-draft"]
`,
  scan: `name = "scan"
type = "aspect"
[[advice]]
target = "*"
[[advice.after]]
id = "{target}-logged"
run = ["echo", "{target}"]
[[advice]]
target = "ship"
[[advice.before]]
id = "{target}-scan-1"
run = "true"
[[advice.before]]
id = "{target}-scan-2"
run = "true"
`,
  strict: `name = "strict"
type = "expansion"
[[template]]
id = "{target}-a"
colour = "red"
`,
  round: `name = "round"\nextends = ["round-2"]\n`,
  "round-2": `name = "round-2"\nextends = ["round"]\n`,
};

const parsed = (text: string): ParsedFormula =>
  parseFormula(text, "f.toml", (name) => {
    const found = FILES[name];
    return found === undefined ? undefined : { text: found, file: `${name}.toml` };
  });

function formula(text: string) {
  const one = parsed(text);
  if (one.kind !== "valid") throw new Error(problems(text));
  return one.formula;
}

const shape = (text: string): string[] =>
  formula(text).steps.map(({ id, needs }) => [id, ...needs].join(" < "));

function problems(text: string): string {
  const one = parsed(text);
  return one.kind === "invalid" ? formatProblems(one.problems) : one.kind;
}

test("a formula that extends another has its steps and variables, its own instead of equal ones", () => {
  const text = `name = "mine"
extends = ["base"]
[vars]
what = "mine"
[[steps]]
id = "check"
needs = ["build"]
gate = "human"
[[steps]]
id = "tell"
needs = ["ship"]
run = "true"
`;
  expect(shape(text)).toEqual(["build", "check < build", "ship < check", "tell < ship"]);
  const { name, description, vars, steps } = formula(text);
  expect({ name, description, usual: vars.map((one) => one.default) }).toEqual({
    name: "mine",
    description: "As ever.",
    usual: ["mine"],
  });
  expect(steps[1]?.action.kind).toBe("gate");
});

test("an expansion takes the place of a step, and what needed that step needs its last one", () => {
  const text = `name = "mine"
extends = ["base"]
[[compose.expand]]
target = "build"
with = "twice"
vars = { how = "twice" }
`;
  expect(shape(text)).toEqual([
    "build-draft",
    "build-polish < build-draft",
    "check < build-polish",
    "ship < check",
  ]);
  expect(formula(text).steps[0]).toMatchObject({
    title: "Draft: Build {{what}}",
    description: "Build it well. Do it twice.",
  });
});

test("a pattern expands every step that it matches, and the first steps need what these needed", () => {
  const text = `name = "mine"
[[steps]]
id = "one"
[[steps]]
id = "two"
needs = ["one"]
when = "steps.one.output"
[compose]
expand = [{ target = "*", with = "twice" }]
`;
  expect(shape(text)).toEqual([
    "one-draft",
    "one-polish < one-draft",
    "two-draft < one-polish",
    "two-polish < two-draft",
  ]);
});

test("an aspect adds steps before and after the steps that its rules name", () => {
  expect(shape(`name = "mine"\nextends = ["base"]\n[compose]\naspects = ["scan"]\n`)).toEqual([
    "build",
    "build-logged < build",
    "check < build-logged",
    "check-logged < check",
    "ship-scan-1 < check-logged",
    "ship-scan-2 < ship-scan-1",
    "ship < ship-scan-2",
    "ship-logged < ship",
  ]);
});

test("a convoy is its legs side by side, each with its input, and a synthesis of them", () => {
  const text = `name = "look"
type = "convoy"
prompt = """
Look at {{what}} for {{leg.focus}}: {{leg.description}}"""
[vars.what]
required = true
[[legs]]
id = "speed"
title = "Speed"
description = "Find what is slow."
input = { focus = "time" }
[[legs]]
id = "size"
description = "Find what is large."
input = { focus = "space" }
model = "opus"
[synthesis]
description = "Put together what the legs found."
`;
  expect(shape(text)).toEqual(["speed", "size", "synthesis < speed < size"]);
  expect(formula(text).steps).toMatchObject([
    {
      title: "Speed",
      description: "Look at {{what}} for time: Find what is slow.",
      action: { kind: "agent", output: "result" },
    },
    { description: "Look at {{what}} for space: Find what is large.", action: { model: "opus" } },
    { title: "Synthesis", action: { output: "either" } },
  ]);
});

test("a file that is a part of others is valid, and is no formula", () => {
  expect([parsed(FILES["twice"] ?? ""), parsed(FILES["scan"] ?? "")]).toMatchObject([
    { kind: "part", part: { kind: "expansion", name: "twice", steps: 2 } },
    { kind: "part", part: { kind: "aspect", name: "scan", steps: 3 } },
  ]);
});

const EXPAND = (target: string, name: string): string =>
  `name = "f"\nextends = ["base"]\n[[compose.expand]]\ntarget = "${target}"\nwith = "${name}"\n`;

test("what is wrong is reported in the file that it is written in", () => {
  const broken = [
    `name = "f"\nextends = ["bas"]\n`,
    `name = "f"\nextends = ["twice"]\n`,
    `name = "f"\nextends = ["round"]\n`,
    EXPAND("biuld", "twice"),
    EXPAND("build", "scan"),
    EXPAND("build", "strict"),
    `${EXPAND("build", "twice")}vars = { haste = "no" }\n`,
    `name = "f"\nextends = ["base"]\n[compose]\naspects = ["nothing"]\nadvise = true\n`,
    `name = "f"\n[[steps]]\nid = "one"\n[compose]\naspects = ["scan"]\n[vars]\nx = 1\n`,
    `name = "f"\ntype = "convoy"\n[[legs]]\nid = "l"\ninput = ["x"]\ncolour = "red"\ndescription = "{{leg.focus}}"\n`,
    `name = "f"\ntype = "convoy"\n[[steps]]\nid = "l"\n`,
    `name = "f"\ntype = "expansion"\n[[template]]\nid = "same"\n`,
    `name = "f"\ntype = "aspect"\n[[advice]]\ntarget = "x"\n`,
    FILES["strict"] ?? "",
    `name = "f"\n[[steps]]\nid = "a"\ndescription = "{{if x}}"\n[vars]\nx = "1"\n`,
    `name = "f"\n[[steps]]\nid = "a"\nrun = "{{if x}}y{{end}}"\n[vars]\nx = "1"\n`,
  ];
  expect(broken.map(problems).join("\n--\n")).toMatchInlineSnapshot(`
    "f.toml:2: extends names "bas", and there is no such formula beside this one.
    --
    f.toml:2: extends names "twice", which is an expansion. Use it in [compose].
    --
    round-2.toml:2: extends is a cycle: f → round → round-2 → round. Remove one of them.
    --
    f.toml:4: compose.expand[0].target is "biuld", which is not a step. Did you mean "build"?
    --
    f.toml:5: compose.expand[0].with names "scan", which is not an expansion.
    --
    strict.toml:5: template[0].colour is not a known key. Known are id, title, description, needs, when, retries, run, builtin, gate, with, role, output, result, model, files, timeout.
    --
    f.toml:6: compose.expand[0].vars.haste is not a known key. Known are how.
    --
    f.toml:4: compose.aspects names "nothing", and there is no such formula beside this one.
    f.toml:5: compose.advise is not a known key. Known are expand, aspects.
    --
    f.toml:7: vars.x is not a table.
    --
    f.toml:3: legs[0] has no "focus" for {{leg.focus}}. It has id, title, description; add it to input.
    f.toml:5: legs[0].input is not a table of strings. Write input = { focus = "…" }.
    f.toml:6: legs[0].colour is not a known key. Known are id, title, description, needs, when, retries, run, builtin, gate, with, role, output, result, model, files, timeout.
    --
    f.toml:1: legs are missing. Write [[legs]] with an id for each.
    f.toml:3: steps belong to a workflow. A convoy has [[legs]].
    --
    f.toml:4: template[0].id does not contain {target}. Two steps that are expanded by it would have the same id.
    --
    f.toml:3: advice[0] adds nothing. Write [[advice.before]] or [[advice.after]].
    --
    f.toml:5: template[0].colour is not a known key. Known are id, title, description, needs, when, retries, run, builtin, gate, with, role, output, result, model, files, timeout.
    --
    f.toml:4: {{if x}} has no {{end}}. Write {{end}} where the choice ends.
    --
    f.toml:4: step "a" puts {{if x}} into a shell's text. Write "$PAWL_VAR_X", which the shell gets as a variable."
  `);
});

test("a base is named once, and a formula is made of up to 100 others", () => {
  expect(problems(`name = "f"\nextends = ["base", "base"]\n`)).toContain(
    'f.toml:2: extends names "base" twice',
  );
  // Each of a level extends both of the next: without a limit that is 2^30 of them.
  const levels = parseFormula(`name = "f"\nextends = ["a-1", "b-1"]\n`, "f.toml", (name) => {
    const next = Number(name.slice(2)) + 1;
    const text = `name = "${name}"\nextends = ["a-${next}", "b-${next}"]\n`;
    return next > 30 ? undefined : { text, file: `${name}.toml` };
  });
  expect(levels.kind === "invalid" && formatProblems(levels.problems)).toContain(
    "extends takes more than 100 formulas",
  );
});

const RULE = `[[compose.expand]]\ntarget = "*"\nwith = "twice"\n`;

test("rules stop at 1,000 steps, and the file that has them is named", () => {
  const text = `name = "f"\nextends = ["base"]\n${RULE.repeat(30)}`;
  expect(problems(text)).toBe("f.toml:3: compose.expand makes more than 1000 steps.");
  const aspects = `name = "f"\nextends = ["base"]\n[compose]\naspects = [${'"scan",'.repeat(400)}]\n`;
  expect(problems(aspects)).toBe("f.toml:4: compose.aspects makes more than 1000 steps.");
});

test("rules stop at a text that no step may have", () => {
  const grow = `name = "grow"\ntype = "expansion"\n[[template]]\nid = "{target}"\ndescription = "{target.description}{target.description}"\n`;
  const rules = RULE.replace("twice", "grow").repeat(60);
  const long = parseFormula(
    `name = "f"\n[[steps]]\nid = "a"\ndescription = "abc"\n${rules}`,
    "f.toml",
    () => ({ text: grow, file: "grow.toml" }),
  );
  expect(long.kind === "invalid" && formatProblems(long.problems)).toContain(
    "compose.expand makes a string of more than 50000 characters",
  );
});
