import { expect, test } from "vitest";
import { formulaOf } from "../../../test/support/formula.ts";
import { resolveFormula } from "./resolve.ts";

const DAY_MS = 86_400_000;
const formula = formulaOf(`
name = "release"
description = "Release {{version}}"
model = "{{model}}"
[context]
files = ["notes/{{version}}.md"]
[vars.version]
description = "which one"
required = true
[vars]
model = "opus"
[[steps]]
id = "tag"
title = "Tag {{ version }}"
run = ["git", "tag", "v{{version}}"]
[[steps]]
id = "shell"
run = 'echo "$PAWL_VAR_VERSION" {not} {{{}}}'
[[steps]]
id = "say"
builtin = "say"
with = { text = "{{version}} by {{model}}" }
[[steps]]
id = "ask"
gate = { type = "human", question = "Ship {{version}}?" }
[[steps]]
id = "pr"
gate = { type = "gh:pr", await_id = "{{version}}" }
[[steps]]
id = "think"
description = "About {{version}}"
`);

test("every placeholder is filled in, and a shell's text is left alone", () => {
  const resolved = resolveFormula(formula, { version: "1.2; rm -rf /" });
  if (resolved.kind !== "resolved") throw new Error(resolved.problems.join());
  const { steps, description, model, contextFiles } = resolved.formula;
  expect({ description, model, contextFiles }).toEqual({
    description: "Release 1.2; rm -rf /",
    model: "opus",
    contextFiles: ["notes/1.2; rm -rf /.md"],
  });
  expect(steps.map(({ action }) => action)).toEqual([
    { kind: "run", command: { kind: "argv", argv: ["git", "tag", "v1.2; rm -rf /"] } },
    { kind: "run", command: { kind: "shell", text: 'echo "$PAWL_VAR_VERSION" {not} {{{}}}' } },
    { kind: "builtin", name: "say", with: { text: "1.2; rm -rf / by opus" } },
    { kind: "gate", gate: { kind: "human", question: "Ship 1.2; rm -rf /?" }, escalateMs: DAY_MS },
    { kind: "gate", gate: { kind: "pr", pr: "1.2; rm -rf /" }, escalateMs: DAY_MS },
    { kind: "agent", role: "action", output: "either", result: "text", model: undefined },
  ]);
  expect(resolved.vars).toEqual({ version: "1.2; rm -rf /", model: "opus" });
  expect(steps.at(0)?.title).toBe("Tag 1.2; rm -rf /");
});

test("a variable that is missing or unknown is named", () => {
  expect(resolveFormula(formula, { verzion: "1" })).toEqual({
    kind: "unresolved",
    problems: [
      'release has no variable "verzion": it has version, model',
      'variable "version" is required (which one): give it with --var version=…',
    ],
  });
});

test("a variable that is required unless another is given says so", () => {
  const either = formulaOf(`
name = "look"
[vars.pr]
required_unless = ["branch"]
[vars.branch]
required_unless = ["pr"]
[[steps]]
id = "a"
description = "{{if pr}}PR {{pr}}{{else}}branch {{branch}}{{end}}"
`);
  expect(resolveFormula(either, {})).toEqual({
    kind: "unresolved",
    problems: [
      'variable "pr" is required: give it with --var pr=…, or branch',
      'variable "branch" is required: give it with --var branch=…, or pr',
    ],
  });
  expect(resolveFormula(either, { branch: "b" })).toMatchObject({
    formula: { steps: [{ description: "branch b" }] },
  });
});
