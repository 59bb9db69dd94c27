import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { formatProblems } from "../../problem.ts";
import { parseFormula, type ParsedFormula } from "../parse-formula.ts";
import { importFormula, type ImportedFormula } from "./import-formula.ts";
import { writeToml } from "./write-toml.ts";

const FIELD = join(import.meta.dirname, "../../../../test/fixtures/field-formulas");

function imported(text: string): Extract<ImportedFormula, { kind: "imported" }> {
  const one = importFormula(text, "x.formula.toml");
  if (one.kind === "invalid") throw new Error(formatProblems(one.problems));
  return one;
}

const ALL = Object.fromEntries(
  globSync("*.toml", { cwd: FIELD })
    .toSorted()
    .map((file) => [
      basename(file, ".formula.toml"),
      imported(readFileSync(join(FIELD, file), "utf8")),
    ]),
);

function parsed(name: string): ParsedFormula {
  const one = parseFormula(ALL[name]?.text ?? "", `${name}.toml`, (other) =>
    ALL[other] === undefined ? undefined : { text: ALL[other].text, file: `${other}.toml` },
  );
  if (one.kind === "invalid") throw new Error(formatProblems(one.problems));
  return one;
}

const shape = (name: string): string[] => {
  const one = parsed(name);
  if (one.kind !== "valid") return [one.kind === "part" ? one.part.kind : one.kind];
  return one.formula.steps.map(({ id, needs }) => [id, ...needs].join(" < "));
};

test("a workflow of the field loads, with gates, loops and children as steps", () => {
  expect(shape("bake")).toEqual([
    "read-recipe",
    "mix < read-recipe",
    "rest-gate < read-recipe",
    "rest < rest-gate",
    "taste < mix",
    "knead-1-fold < mix < rest",
    "knead-1-turn < knead-1-fold",
    "knead-2-fold < knead-1-turn",
    "knead-2-turn < knead-2-fold",
    "cream < knead-2-turn",
    "candles < knead-2-turn",
    "box < cream < candles < taste",
    "sell < box",
  ]);
  const one = parsed("bake");
  expect(one).toMatchObject({
    formula: {
      name: "bake",
      version: 3,
      vars: [
        { name: "cake", required: true },
        { name: "guests", default: "4" },
        { name: "kitchen_id", default: "<kitchen_id>" },
      ],
    },
  });
  expect(one.kind === "valid" && one.formula.steps[1]?.description).toBe(
    'Mix it.\nA backslash: \\d, and """ quotes """.',
  );
});

test("everything that is dropped or changed is named", () => {
  expect(ALL["bake"]?.notes).toMatchInlineSnapshot(`
    [
      ""type" of steps is dropped",
      ""priority" of steps is dropped",
      ""labels" of steps is dropped",
      "steps.read-recipe.acceptance is in the description now",
      ""parallel" of steps is dropped: steps that do not depend on each other run in parallel anyway",
      "steps.rest.gate is a step of its own now: rest-gate",
      "steps.taste.gate is in the description now: {"type":"conditional","condition":"somebody_is_hungry"}",
      "steps.knead.loop is written out: 2 rounds",
      "steps.decorate was replaced by its children",
      "steps.sell.output is in the description now",
      "steps.box needed "nowhere", which is not a step: dropped",
      "pour is dropped: the journal keeps the result of every step anyway",
      "phase is dropped: the journal keeps the result of every step anyway",
      "squash is dropped: \`pawl formula status\` shows the result of a run",
      "vars.cake.pattern is in the description now; Pawl does not check it",
      "vars.guests.enum is in the description now; Pawl does not check it",
      "{{kitchen_id}} was not declared: it is a variable now",
    ]
  `);
  expect(ALL["survey"]?.notes).toMatchInlineSnapshot(`
    [
      "legs.roof.agent is dropped",
      "output: a leg writes to $PAWL_RESULT_FILE, the synthesis reads from $PAWL_INPUTS",
      "presets are dropped: all legs run",
      "{{range photos}}: its body is written once, for each of {{photos}}",
      "{{photos}} was not declared: it is a variable now",
    ]
  `);
  expect(ALL["letter"]?.notes).toEqual([]);
});

test("expansions, aspects and what is made of them load", () => {
  expect([shape("twice-read"), shape("guarded")]).toEqual([["expansion"], ["aspect"]]);
  expect(shape("letter-careful")).toEqual([
    "write-look",
    "write < write-look",
    "write-look-again < write",
    "send-draft < write-look-again",
    "send-read-1 < send-draft",
  ]);
});

test("a convoy loads with its prompt in every leg and its inputs as variables", () => {
  expect(shape("survey")).toEqual(["roof", "cellar", "synthesis < roof < cellar"]);
  const one = parsed("survey");
  expect(one.kind === "valid" && one.formula.steps[0]?.description).toMatchInlineSnapshot(`
    "# Survey by survey: what is above

    {{if house}}
    House {{house}}, depth {{depth}}.
    {{else}}{{if street}}
    Street {{street}}:
    (for each of {{photos}}:)
    - <path> (<item>)

    {{end}}{{end}}
    {{if depth == "deep"}}Dig.{{end}}

    ## Task
    Look at the roof.

    Write to **$PAWL_RESULT_FILE**.
    "
  `);
});

const text = (description: string): string => {
  const one = imported(
    `formula = "f"\ntype = "convoy"\n[[legs]]\nid = "a"\n[prompts]\nbase = ${JSON.stringify(description)}\n`,
  );
  return String((parse(one.text) as { prompt: string }).prompt);
};

test("templates of Go become ours", () => {
  expect(text("{{if not .a}}x{{else}}y{{end}}")).toBe("{{if not a}}x{{else}}y{{end}}");
  expect(text('{{if ne .a "b"}}x{{end}}')).toBe('{{if a != "b"}}x{{end}}');
  expect(text("{{if .a}}1{{else if .b}}2{{else}}3{{end}}")).toBe(
    "{{if a}}1{{else}}{{if b}}2{{else}}3{{end}}{{end}}",
  );
  expect(text("{{if or .a .b}}x{{end}}{{with .c}}y{{end}}")).toBe("x{{if c}}y{{end}}");
  expect(text("{{/* no */}}{{.a.b}} {{ len .c }} {{if .d}}z")).toBe(
    "<a.b> <len .c> {{if d}}z{{end}}",
  );
  expect(text("{{range .xs}}{{.name}}{{if .y}}{{.}}{{end}}{{end}} {{.z}}")).toBe(
    "(for each of {{xs}}:)<name>{{if y}}<item>{{end}} {{z}}",
  );
});

test("a step of a person, and a wait for a workflow by its file, ask a person", () => {
  const one = imported(
    `formula = "f"\n[[steps]]\nid = "a"\ntype = "human"\n[[steps]]\nid = "b"\ngate = { type = "gh:run", id = "release.yml" }\n`,
  );
  expect((parse(one.text) as { steps: unknown[] }).steps).toEqual([
    { id: "a-gate", title: "Wait before: a", gate: { type: "human" } },
    { id: "a", needs: ["a-gate"] },
    {
      id: "b-gate",
      title: "Wait before: b",
      gate: { type: "human", question: "Has release.yml succeeded?" },
    },
    { id: "b", needs: ["b-gate"] },
  ]);
});

test("a file that is no TOML is refused with its line", () => {
  expect(importFormula("formula = ", "x.toml")).toMatchObject({
    kind: "invalid",
    problems: [{ line: 1 }],
  });
});

test("what is written is what is read again", () => {
  const value = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[\n"\\a']{0,12}$/),
    fc.boolean(),
    fc.integer(),
  );
  const table = fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 5 });
  const root = fc.record({
    a: value,
    gate: table,
    t: table,
    list: fc.array(table, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(root, (one) => {
      const { list, t, ...rest } = one;
      expect(parse(writeToml(one))).toEqual(JSON.parse(JSON.stringify({ ...rest, t, list })));
    }),
    { numRuns: 200 },
  );
});
