// The text of a formula's file in, the formula or every problem of the file out. Pure. One parser
// for the files of the systems that Pawl grew from and for its own.
import type { Formula } from "../../core/formula/formula.ts";
import { locateKeys, type Locate } from "../locate.ts";
import type { Problem } from "../problem.ts";
import { formatKey } from "../problem.ts";
import { parseToml } from "../toml.ts";
import { checkFormula } from "./check-formula.ts";
import { compose, partKind, type FindFormula } from "./compose.ts";
import { readName, readVars } from "./read-head.ts";
import { exampleOf, PARTS, readPart, type Part, type PartKind } from "./read-part.ts";
import { readStep } from "./read-step.ts";
import { STEPS_MAX, textAt, type RawTable, type StepSource } from "./step-source.ts";
import { ROOT, Table, type Finding, type FormulaFile } from "./table.ts";

export type ParsedFormula =
  | { kind: "valid"; formula: Formula }
  /** An expansion or an aspect: valid, and of use only to other formulas. */
  | { kind: "part"; part: Part }
  | { kind: "invalid"; problems: Problem[] };

const TYPES = ["workflow", "convoy", ...PARTS];

/** `file` is only for messages; `find` has the formulas that this one may be made of. */
export function parseFormula(
  text: string,
  file: string,
  find: FindFormula = () => undefined,
): ParsedFormula {
  const document = parseToml(text, file);
  if (document.kind === "invalid") return document;
  const { root } = document;
  const findings: Finding[] = [];
  const kind = partKind(root);
  if (kind !== undefined) return parsePart(kind, root, { text, file });
  const name = textAt(root, "formula") || textAt(root, "name");
  const composed = compose(root, {
    find,
    findings,
    within: undefined,
    chain: [name],
    taken: { count: 0 },
  });
  const formula = readFormula(new Table(composed.root, ROOT, findings), findings, composed.steps);
  if (findings.length === 0) return { kind: "valid", formula };
  return { kind: "invalid", problems: placed(findings, text, file) };
}

/** Its steps are checked as they would be in a formula. */
function parsePart(kind: PartKind, root: RawTable, { text, file }: FormulaFile): ParsedFormula {
  const findings: Finding[] = [];
  const part = readPart(kind, root, new Table(root, ROOT, findings));
  if (findings.length === 0) {
    for (const step of exampleOf(part)) {
      readStep(new Table(step.raw, step, findings), findings);
    }
  }
  if (findings.length === 0) return { kind: "part", part };
  return { kind: "invalid", problems: placed(findings, text, file) };
}

export function placed(findings: Finding[], text: string, file: string): Problem[] {
  const own = { text, file };
  const located = new Map<FormulaFile, Locate>();
  return findings
    .map(({ path, message, within = own }) => {
      const locate = located.get(within) ?? locateKeys(within.text);
      located.set(within, locate);
      return { file: within.file, line: locate(path), key: formatKey(path), message };
    })
    .toSorted((a, b) => a.line - b.line);
}

/** `sources`: the steps, where they are not simply those of the table. */
export function readFormula(table: Table, findings: Finding[], sources?: StepSource[]): Formula {
  table.choice("type", TYPES);
  noteForeignKeys(table);
  const name = readName(table);
  const context = table.table("context");
  const contextFiles = context?.texts("files") ?? [];
  context?.close();
  const own = table.tables("steps");
  const tables = sources?.map((source) => new Table(source.raw, source, findings)) ?? own;
  const read = tables.map((step) => ({
    path: step.path,
    within: step.within,
    step: readStep(step, findings),
  }));
  const steps = read.flatMap(({ step, ...at }) => (step === undefined ? [] : [{ step, ...at }]));
  if (read.length === 0 && findings.length === 0) {
    table.note("steps", "are missing. Write [[steps]] with an id for each.");
  }
  if (read.length > STEPS_MAX) table.note("steps", `are more than ${STEPS_MAX}.`);
  const formula: Formula = {
    name,
    description: table.text("description") ?? "",
    version: table.count("version", { from: 0, to: 1_000_000 }) ?? 1,
    model: table.word("model"),
    contextFiles,
    vars: readVars(table),
    steps: steps.map(({ step }) => step),
  };
  table.close();
  findings.push(...checkFormula(formula, steps));
  return formula;
}

const BELONGS: Record<string, string> = {
  legs: "convoy",
  synthesis: "convoy",
  prompt: "convoy",
  template: "expansion",
  advice: "aspect",
};
const FOREIGN = ["inputs", "prompts", "output", "pointcuts", "pour", "squash", "presets", "phase"];

/** Keys that mean something elsewhere are refused with where that is. */
function noteForeignKeys(table: Table): void {
  for (const key of table.keys()) {
    const kind = BELONGS[key];
    if (kind === undefined && !FOREIGN.includes(key)) continue;
    table.raw(key);
    const hint =
      kind === undefined
        ? "is a key of other systems. `pawl formula import FILE` translates such a file."
        : `belongs to a file with type = "${kind}".`;
    table.note(key, hint);
  }
}
