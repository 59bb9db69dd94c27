// For every file: a valid value is read as it was written, and an invalid one is reported with its
// line and with what to write instead, never by an exception.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Problem } from "../problem.ts";
import { parseFormula } from "./parse-formula.ts";

const RUNS = { numRuns: 150 };
const ACTIONS = [
  'run = "true"',
  'builtin = "say"',
  'gate = "human"',
  'description = """\nThink.\nAnd again."""',
];

/** Steps need only earlier ones; each is some lines of the file. */
const files = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(20), { maxLength: 3 }),
      action: fc.constantFrom(...ACTIONS),
      retries: fc.option(fc.nat(10), { nil: undefined }),
    }),
    { minLength: 2, maxLength: 8 },
  )
  .map((shapes) =>
    shapes.map((shape, index) => ({
      id: `s${index}`,
      needs: index === 0 ? [] : [...new Set(shape.needs.map((need) => `s${need % index}`))],
      more: [
        shape.action,
        ...(shape.retries === undefined ? [] : [`retries = ${shape.retries}`]),
      ].flatMap((part) => part.split("\n")),
    })),
  );

type Written = { id: string; needs: string[]; more: string[] };

function linesOf(steps: Written[]): string[] {
  return [
    'name = "f"',
    ...steps.flatMap(({ id, needs, more }) => [
      "",
      "[[steps]]",
      `id = "${id}"`,
      ...(needs.length === 0 ? [] : [`needs = ${JSON.stringify(needs)}`]),
      ...more,
    ]),
  ];
}

function problemsOf(lines: string[]): Problem[] {
  const parsed = parseFormula(lines.join("\n"), "f.toml");
  return parsed.kind === "invalid" ? parsed.problems : [];
}

test("what is written is what is read", () => {
  fc.assert(
    fc.property(files, (steps) => {
      const parsed = parseFormula(linesOf(steps).join("\n"), "f.toml");
      if (parsed.kind !== "valid") throw new Error(JSON.stringify(parsed));
      expect(parsed.formula.steps.map(({ id, needs }) => ({ id, needs }))).toEqual(
        steps.map(({ id, needs }) => ({ id, needs })),
      );
    }),
    RUNS,
  );
});

type Breaking = { name: string; hint: RegExp; line: (id: string) => string; at: "needs" | "id" };

const BREAKINGS: Breaking[] = [
  { name: "an unknown key", hint: /Did you mean|Known are/, line: () => "retrys = 1", at: "id" },
  {
    name: "an unknown need",
    hint: /which is not a step/,
    line: () => 'needs = ["nobody"]',
    at: "needs",
  },
  {
    name: "a circle",
    hint: /Remove one of these needs/,
    line: (id) => `needs = ["${id}"]`,
    at: "needs",
  },
  { name: "bad TOML", hint: /not valid TOML/, line: () => "x = = 1", at: "id" },
];

/** The lines with one of them broken, and which one that is. */
function broken(steps: Written[], which: number, { line, at }: Breaking): [string[], number] {
  const step = steps[which % steps.length] as Written;
  const lines = linesOf(steps);
  const id = lines.indexOf(`id = "${step.id}"`);
  const isReplaced = at === "needs" && step.needs.length > 0;
  const made = lines.toSpliced(id + 1, isReplaced ? 1 : 0, line(step.id));
  return [made, id + 2];
}

test.each(BREAKINGS)("$name is told with its line and a hint", (breaking) => {
  fc.assert(
    fc.property(files, fc.nat(20), (steps, which) => {
      const [lines, at] = broken(steps, which, breaking);
      const problems = problemsOf(lines);
      expect(problems).toContainEqual(
        expect.objectContaining({
          file: "f.toml",
          line: at,
          message: expect.stringMatching(breaking.hint),
        }),
      );
    }),
    RUNS,
  );
});

test("an id that is used twice is told where it is used again", () => {
  fc.assert(
    fc.property(files, fc.nat(20), (steps, which) => {
      const twin = steps[which % steps.length] as Written;
      const lines = linesOf([...steps, { ...twin, needs: [] }]);
      const again = lines.lastIndexOf(`id = "${twin.id}"`) + 1;
      expect(problemsOf(lines)).toContainEqual(
        expect.objectContaining({ line: again, message: expect.stringContaining("used twice") }),
      );
    }),
    RUNS,
  );
});

test("no text is too strange: every problem lies within the file", () => {
  const strange = fc.array(
    fc.oneof(
      fc.constantFrom("[[steps]]", 'id = "a"', "[vars]", "needs = [", '"""', "[context"),
      fc.string(),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(strange, (lines) => {
      for (const { line, message } of problemsOf(lines)) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.join("\n").split("\n").length + 1);
        expect(message).not.toBe("");
      }
    }),
    RUNS,
  );
});
