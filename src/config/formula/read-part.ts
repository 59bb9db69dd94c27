// Files that are no formula by themselves: an expansion (a template for a step) and an aspect (rules
// that add steps). They are read as strictly as formulas, by filling them for an example step.
import type { Formula } from "../../core/formula/formula.ts";
import { expandStep, applyAdvice, type Advice } from "./expand.ts";
import { readName, readVars } from "./read-head.ts";
import { sourcesIn, type RawTable, type StepSource } from "./step-source.ts";
import type { Table } from "./table.ts";

export const PARTS = ["expansion", "aspect"] as const;
export type PartKind = (typeof PARTS)[number];

export type Part = {
  name: string;
  description: string;
  /** How many steps it makes of one. */
  steps: number;
} & (
  | { kind: "expansion"; template: StepSource[]; vars: Formula["vars"] }
  | { kind: "aspect"; advice: Advice[] }
);

export function readPart(kind: PartKind, root: RawTable, table: Table): Part {
  table.raw("type");
  const head = { name: readName(table), description: table.text("description") ?? "" };
  table.count("version", { from: 0, to: 1_000_000 });
  const part: Part =
    kind === "expansion"
      ? { ...head, ...readTemplate(root, table) }
      : { ...head, ...readAdvice(root, table) };
  table.close();
  return part;
}

function readTemplate(root: RawTable, table: Table) {
  const template = sourcesIn(root["template"], { path: ["template"], within: table.within });
  table.raw("template");
  if (template.length === 0) {
    table.note("template", "is missing. Write [[template]] with an id for each step.");
  }
  for (const [index, { raw }] of template.entries()) {
    const id = raw["id"];
    if (typeof id === "string" && id.includes("{target}")) continue;
    table.noteAt(
      ["template", index, "id"],
      "does not contain {target}. Two steps that are expanded by it would have the same id.",
    );
  }
  const vars = readVars(table);
  return { kind: "expansion", template, vars, steps: template.length } as const;
}

function readAdvice(root: RawTable, table: Table) {
  const rules = table.tables("advice");
  if (rules.length === 0) {
    table.note("advice", "is missing. Write [[advice]] with target, and before or after.");
  }
  const raw = Array.isArray(root["advice"]) ? (root["advice"] as RawTable[]) : [];
  const advice = rules.map((rule, index): Advice => {
    const target = rule.word("target");
    if (target === undefined && !rule.has("target")) {
      rule.note("target", 'is missing. Write the id of a step, or a pattern: "test-*".');
    }
    const at = (key: string): StepSource[] =>
      sourcesIn(raw[index]?.[key], { path: ["advice", index, key], within: rule.within });
    const [before, after] = [at("before"), at("after")];
    for (const key of ["before", "after"]) rule.tables(key);
    if (before.length + after.length === 0) {
      rule.note(undefined, "adds nothing. Write [[advice.before]] or [[advice.after]].");
    }
    rule.close();
    return { target: target ?? "", before, after };
  });
  const steps = advice.reduce((sum, one) => sum + one.before.length + one.after.length, 0);
  return { kind: "aspect", advice, steps } as const;
}

/** The steps that it makes of an example, for its own check. */
export function exampleOf(part: Part): StepSource[] {
  const step = (id: string): StepSource => ({ raw: { id }, path: ["type"], within: undefined });
  if (part.kind === "expansion") {
    const values = Object.fromEntries(part.vars.map((one) => [one.name, one.default ?? "value"]));
    const target = step("target");
    return expandStep([target], target, { template: part.template, values });
  }
  return part.advice.flatMap((advice, index) => {
    const id = `target-${index}`;
    return applyAdvice([step(id)], { ...advice, target: id }, [id]);
  });
}
