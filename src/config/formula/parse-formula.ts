// The text of a formula's file in, the formula or every problem of the file out. Pure. One parser
// for the files of the systems that Pawl grew from and for its own.
import type { Formula, FormulaVar } from "../../core/formula/formula.ts";
import { locateKeys } from "../locate.ts";
import type { Problem } from "../problem.ts";
import { formatKey } from "../problem.ts";
import { parseToml } from "../toml.ts";
import { checkFormula } from "./check-formula.ts";
import { readStep } from "./read-step.ts";
import { Table, type Finding } from "./table.ts";

export type ParsedFormula =
  | { kind: "valid"; formula: Formula }
  | { kind: "invalid"; problems: Problem[] };

const STEPS_MAX = 1000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** `file` is only for messages. */
export function parseFormula(text: string, file: string): ParsedFormula {
  const document = parseToml(text, file);
  if (document.kind === "invalid") return document;
  const findings: Finding[] = [];
  const formula = readFormula(new Table(document.root, [], findings), findings);
  if (findings.length === 0) return { kind: "valid", formula };
  return { kind: "invalid", problems: placed(findings, text, file) };
}

export function placed(findings: Finding[], text: string, file: string): Problem[] {
  const locate = locateKeys(text);
  return findings
    .map(({ path, message }) => ({ file, line: locate(path), key: formatKey(path), message }))
    .toSorted((a, b) => a.line - b.line);
}

export function readFormula(table: Table, findings: Finding[]): Formula {
  refuseOtherKinds(table);
  const name = readName(table);
  const context = table.table("context");
  const contextFiles = context?.texts("files") ?? [];
  context?.close();
  const read = table
    .tables("steps")
    .map((step) => ({ path: step.path, step: readStep(step, findings) }));
  const steps = read.flatMap(({ step, path }) => (step === undefined ? [] : [{ step, path }]));
  if (read.length === 0) table.note("steps", "are missing. Write [[steps]] with an id for each.");
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

/** Files of both systems exist: one writes `formula`, the other `name`. */
function readName(table: Table): string {
  const [formula, name] = [table.word("formula"), table.word("name")];
  if (formula !== undefined && name !== undefined && formula !== name) {
    table.note("name", `is "${name}", but formula is "${formula}". Write one of them.`);
  }
  const found = formula ?? name;
  if (found === undefined) {
    if (!table.has("formula") && !table.has("name")) {
      table.note("name", 'is missing. Write name = "my-formula" at the top.');
    }
    return "";
  }
  if (!NAME.test(found)) {
    const key = formula === undefined ? "name" : "formula";
    table.note(key, `is "${found}". Use letters, digits, ".", "-" and "_", at most 60 characters.`);
  }
  return found;
}

function readVars(table: Table): FormulaVar[] {
  const vars = table.table("vars");
  if (vars === undefined) return [];
  return vars.keys().flatMap((name) => {
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) {
      vars.note(name, 'is no name of a variable. Use letters, digits, "_" and "-".');
      return [];
    }
    return readVar(vars, name);
  });
}

/** A bare text is the default. */
function readVar(vars: Table, name: string): FormulaVar {
  const value = vars.raw(name);
  if (typeof value === "string") {
    return { name, description: "", required: false, default: value };
  }
  const own = vars.table(name);
  const read = {
    name,
    description: own?.text("description") ?? "",
    required: own?.flag("required") ?? false,
    default: own?.has("default") === true ? readDefault(own) : undefined,
  };
  own?.close();
  return read;
}

/** A default may be written as a number or a flag: variables are texts. */
function readDefault(own: Table): string | undefined {
  const value = own.raw("default");
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
    return String(value);
  }
  return own.text("default");
}

const OTHER_KINDS: Record<string, string> = {
  legs: "convoy",
  synthesis: "convoy",
  inputs: "convoy",
  output: "convoy",
  prompts: "convoy",
  template: "expansion",
  extends: "expansion",
  compose: "expansion",
  advice: "aspect",
  pointcuts: "aspect",
};

/** Later kinds of file of other systems: refused by name, so that the reason is clear. */
function refuseOtherKinds(table: Table): void {
  const type = table.text("type");
  if (type !== undefined && type !== "workflow") {
    table.note(
      "type",
      `is "${type}". Pawl runs workflows: convoys, expansions and aspects are not supported.`,
    );
  }
  for (const key of table.keys()) {
    const kind = OTHER_KINDS[key];
    if (kind === undefined) continue;
    table.raw(key);
    const article = kind === "convoy" ? "a" : "an";
    table.note(
      key,
      `makes this ${article} ${kind}, which Pawl does not support. Write its parts as [[steps]] with needs.`,
    );
  }
}
