// Formulas that are made of others: `extends` takes the steps and variables of another formula,
// `[[compose.expand]]` puts an expansion in place of a step, and `compose.aspects` adds the steps of
// aspects. All of it is done when the file is loaded; what runs is a plain list of steps.
import { nearest } from "../nearest.ts";
import { parseToml } from "../toml.ts";
import { stepsOfConvoy } from "./convoy.ts";
import { applyAdvice, expandStep } from "./expand.ts";
import { PARTS, readPart, type Part, type PartKind } from "./read-part.ts";
import {
  areTooMany,
  idOf,
  matchesGlob,
  sizeProblem,
  sourcesIn,
  STEPS_MAX,
  type RawTable,
  type StepSource,
} from "./step-source.ts";
import { isTable, Table, type Finding, type FormulaFile } from "./table.ts";

/** The file of the formula of this name. */
export type FindFormula = (name: string) => FormulaFile | undefined;

/** The keys of the formula without what it is made of, and its steps. */
export type Composed = { root: RawTable; steps: StepSource[] };

type Context = {
  find: FindFormula;
  findings: Finding[];
  within: FormulaFile | undefined;
  /** The names of the formulas that extend each other, this one last. */
  chain: string[];
  /** How many formulas were taken for the whole, counted as often as each is named. */
  taken: { count: number };
};

const BASES_MAX = 100;

export function compose(root: RawTable, context: Context): Composed {
  const { findings, within } = context;
  const table = new Table(root, { path: [], within }, findings);
  const own =
    root["type"] === "convoy"
      ? stepsOfConvoy(root, table, within)
      : sourcesIn(root["steps"], { path: ["steps"], within });
  const bases = (table.texts("extends") ?? []).flatMap((name, index, names) => {
    const isFirst = names.indexOf(name) === index;
    if (!isFirst) table.note("extends", `names "${name}" twice. Remove one of them.`);
    const base = isFirst ? loadBase(name, table, context) : undefined;
    return base === undefined ? [] : [base];
  });
  const steps = bases.reduceRight(
    (all, base) => limited(merged(base.steps, all), table),
    limited(own, table),
  );
  const { extends: _, compose: __, ...kept } = withoutLegs(root);
  const inherited = bases.reduce<RawTable>((all, base) => inheritedFrom(all, base.root), {});
  return {
    root: inheritedFrom(inherited, kept),
    steps: composedOf(table, steps, context),
  };
}

/** `extends`, and the expansions and aspects of `compose`. */
export function partsNamedIn(root: RawTable): string[] {
  const rules = isTable(root["compose"]) ? root["compose"] : {};
  const expansions = sourcesIn(rules["expand"], { path: [], within: undefined });
  return [root["extends"], rules["aspects"], expansions.map(({ raw }) => raw["with"])]
    .flat()
    .filter((name) => typeof name === "string");
}

function withoutLegs(root: RawTable): RawTable {
  if (root["type"] !== "convoy") return root;
  const { legs: _, synthesis: __, prompt: ___, ...rest } = root;
  return rest;
}

const NEVER_INHERITED = ["name", "formula", "type", "version", "steps"];

function inheritedFrom(base: RawTable, own: RawTable): RawTable {
  const kept = Object.fromEntries(
    Object.entries(base).filter(([key]) => !NEVER_INHERITED.includes(key)),
  );
  const vars = [base["vars"], own["vars"]].filter((one) => isTable(one));
  return { ...kept, ...own, ...(vars.length < 2 ? {} : { vars: Object.assign({}, ...vars) }) };
}

/** A step of the same id takes the place of the inherited one. */
function merged(base: StepSource[], own: StepSource[]): StepSource[] {
  const ids = base.map(idOf);
  return [
    ...base.map((step) => own.find((one) => idOf(one) === idOf(step)) ?? step),
    ...own.filter((one) => !ids.includes(idOf(one))),
  ];
}

/** None where they are too many: what is said about the rest would only hide that. */
function limited(steps: StepSource[], table: Table): StepSource[] {
  if (!areTooMany(steps)) return steps;
  table.note("steps", `are more than ${STEPS_MAX}.`);
  return [];
}

function loadBase(name: string, table: Table, context: Context): Composed | undefined {
  if (context.chain.includes(name)) {
    const circle = [...context.chain, name].join(" → ");
    table.note("extends", `is a cycle: ${circle}. Remove one of them.`);
    return undefined;
  }
  const { taken } = context;
  taken.count += 1;
  if (taken.count > BASES_MAX) {
    const all = `takes more than ${BASES_MAX} formulas together with those that they extend.`;
    if (taken.count === BASES_MAX + 1) table.note("extends", all);
    return undefined;
  }
  const loaded = load(name, { table, key: "extends", find: context.find });
  if (loaded === undefined) return undefined;
  const { root, file } = loaded;
  if (partKind(root) !== undefined) {
    table.note("extends", `names "${name}", which is an ${partKind(root)}. Use it in [compose].`);
    return undefined;
  }
  return compose(root, { ...context, within: file, chain: [...context.chain, name] });
}

export const partKind = (root: RawTable): PartKind | undefined =>
  PARTS.find((kind) => kind === root["type"]);

function load(
  name: string,
  about: { table: Table; key: string; find: FindFormula },
): { root: RawTable; file: FormulaFile } | undefined {
  const { table, key } = about;
  const file = about.find(name);
  if (file === undefined) {
    table.note(key, `names "${name}", and there is no such formula beside this one.`);
    return undefined;
  }
  const document = parseToml(file.text, file.file);
  if (document.kind === "document") return { root: document.root, file };
  const [problem] = document.problems;
  table.note(
    key,
    `names "${name}", which cannot be read: ${file.file}:${problem?.line}: ${problem?.message}`,
  );
  return undefined;
}

function isRefused(steps: StepSource[], rules: Table, key: string): boolean {
  const problem = sizeProblem(steps);
  if (problem !== undefined) rules.note(key, `makes ${problem}.`);
  return problem !== undefined;
}

function composedOf(table: Table, steps: StepSource[], context: Context): StepSource[] {
  const rules = table.table("compose");
  if (rules === undefined) return steps;
  let all = steps;
  for (const rule of rules.tables("expand")) {
    all = expanded(rule, all, context);
    if (isRefused(all, rules, "expand")) return [];
  }
  const advised = all.map(idOf);
  for (const name of rules.texts("aspects") ?? []) {
    all = withAspect({ rules, name, advised }, all, context);
    if (isRefused(all, rules, "aspects")) return [];
  }
  rules.close();
  return all;
}

function expanded(rule: Table, steps: StepSource[], context: Context): StepSource[] {
  const target = required(rule, "target", "the id of a step");
  const name = required(rule, "with", "the name of an expansion");
  const given = rule.table("vars");
  const part = name === undefined ? undefined : loadPart("expansion", name, { rule, context });
  const targets = steps.filter((step) => target !== undefined && matchesGlob(target, idOf(step)));
  if (target !== undefined && targets.length === 0) {
    const meant = nearest(target, steps.map(idOf));
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    rule.note("target", `is "${target}", which is not a step.${hint}`);
  }
  const values = part?.kind === "expansion" ? valuesOf(part, given, rule) : {};
  rule.close();
  if (part?.kind !== "expansion") return steps;
  const { template } = part;
  return targets.reduce((all, one) => {
    const now = all.find((step) => idOf(step) === idOf(one)) ?? one;
    return expandStep(all, now, { template, values });
  }, steps);
}

function valuesOf(
  part: Extract<Part, { kind: "expansion" }>,
  given: Table | undefined,
  rule: Table,
): Record<string, string> {
  const pairs = part.vars.flatMap(({ name, required: isRequired, default: usual }) => {
    const value = given?.reference(name) ?? usual;
    if (value === undefined && isRequired) {
      rule.note("vars", `has no "${name}", which ${part.name} requires.`);
    }
    return [[name, value ?? ""]] as const;
  });
  given?.close();
  return Object.fromEntries(pairs);
}

function withAspect(
  { rules, name, advised }: { rules: Table; name: string; advised: string[] },
  steps: StepSource[],
  context: Context,
): StepSource[] {
  const part = loadPart("aspect", name, { rule: rules, context });
  if (part?.kind !== "aspect") return steps;
  const { advice } = part;
  if (!advice.some(({ target }) => advised.some((id) => matchesGlob(target, id)))) {
    const targets = advice.map(({ target }) => `"${target}"`).join(", ");
    rules.note("aspects", `names "${name}", whose rules (${targets}) match no step.`);
  }
  return advice.reduce((all, one) => applyAdvice(all, one, advised), steps);
}

function loadPart(
  kind: PartKind,
  name: string,
  { rule, context }: { rule: Table; context: Context },
): Part | undefined {
  const key = kind === "expansion" ? "with" : "aspects";
  const loaded = load(name, { table: rule, key, find: context.find });
  if (loaded === undefined) return undefined;
  const { root, file } = loaded;
  if (partKind(root) === kind) {
    return readPart(kind, root, new Table(root, { path: [], within: file }, context.findings));
  }
  rule.note(key, `names "${name}", which is not an ${kind}.`);
  return undefined;
}

function required(rule: Table, key: string, what: string): string | undefined {
  const value = rule.word(key);
  if (value === undefined && !rule.has(key)) rule.note(key, `is missing. Write ${what}.`);
  return value;
}
