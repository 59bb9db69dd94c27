// A project's own file over a formula that comes with Pawl: `[[step-overrides]]` replace parts of
// steps, append to their descriptions, or skip them. Says which file and line is wrong.
import type { Problem } from "../problem.ts";
import { formatKey } from "../problem.ts";
import { locateKeys } from "../locate.ts";
import { nearest } from "../nearest.ts";
import { parseToml } from "../toml.ts";
import { parseFormula, placed, readFormula, type ParsedFormula } from "./parse-formula.ts";
import type { FindFormula } from "./compose.ts";
import { ROOT, Table, type Finding, type FormulaFile } from "./table.ts";

const OVERRIDES = "step-overrides";
const MODES = ["replace", "append", "skip"] as const;
const ACTIONS = ["run", "builtin", "gate", "with", "output", "model", "files"];

type RawStep = Record<string, unknown>;
type Override = { stepId: string; mode: (typeof MODES)[number]; values: RawStep; index: number };

/** The project's own file where there is one: a whole formula, or a layer over the built-in one. */
export function chooseFormula(files: {
  builtIn: FormulaFile | undefined;
  own: FormulaFile | undefined;
  find?: FindFormula;
}): ParsedFormula | { kind: "missing" } {
  const { builtIn, own, find } = files;
  if (own === undefined) {
    return builtIn === undefined
      ? { kind: "missing" }
      : parseFormula(builtIn.text, builtIn.file, find);
  }
  const document = parseToml(own.text, own.file);
  if (document.kind === "invalid") return document;
  if (document.root[OVERRIDES] === undefined) return parseFormula(own.text, own.file, find);
  if (builtIn === undefined) {
    const message = `${OVERRIDES} have nothing to change: no formula of this name comes with Pawl. Write [[steps]].`;
    return {
      kind: "invalid",
      problems: placed([{ path: [OVERRIDES], message }], own.text, own.file),
    };
  }
  return layered(builtIn, own, document.root);
}

function layered(base: FormulaFile, own: FormulaFile, root: RawStep): ParsedFormula {
  const parsed = parseFormula(base.text, base.file);
  const document = parseToml(base.text, base.file);
  if (parsed.kind !== "valid" || document.kind === "invalid") return parsed;
  const steps = document.root["steps"] as RawStep[];
  const findings: Finding[] = [];
  const overrides = readOverrides(new Table(root, ROOT, findings), {
    raw: root[OVERRIDES] as RawStep[],
    ids: parsed.formula.steps.map(({ id }) => id),
  });
  if (findings.length > 0)
    return { kind: "invalid", problems: placed(findings, own.text, own.file) };
  const changed = overrides.reduce((all, override) => applied(all, override), steps);
  const merged: Finding[] = [];
  const formula = readFormula(
    new Table({ ...document.root, steps: changed }, ROOT, merged),
    merged,
  );
  if (merged.length === 0) return { kind: "valid", formula };
  return { kind: "invalid", problems: blamed(merged, { own, changed, overrides }) };
}

function readOverrides(table: Table, known: { raw: RawStep[]; ids: string[] }): Override[] {
  for (const key of ["formula", "name", "description", "version"]) table.raw(key);
  const read = table.tables(OVERRIDES).flatMap((one, index) => {
    const stepId = one.word("step_id");
    const mode = one.choice("mode", MODES) ?? "replace";
    const { step_id: _, mode: __, ...values } = known.raw[index] ?? {};
    if (stepId === undefined) {
      if (!one.has("step_id")) one.note("step_id", "is missing. Write the id of a step.");
      return [];
    }
    if (!known.ids.includes(stepId)) {
      const meant = nearest(stepId, known.ids);
      const hint =
        meant === undefined ? `Steps are ${known.ids.join(", ")}.` : `Did you mean "${meant}"?`;
      one.note("step_id", `is "${stepId}", which is not a step of this formula. ${hint}`);
      return [];
    }
    if (mode === "append" && Object.keys(values).some((key) => key !== "description")) {
      one.note(undefined, 'may only append to the description. Use mode = "replace" for the rest.');
    }
    return [{ stepId, mode, values, index }];
  });
  table.close();
  return read;
}

function applied(steps: RawStep[], { stepId, mode, values }: Override): RawStep[] {
  if (mode === "skip") return skipped(steps, stepId);
  return steps.map((step) => {
    if (step["id"] !== stepId) return step;
    if (mode === "append") {
      const parts = [step["description"], values["description"]];
      const texts = parts.filter((part) => typeof part === "string");
      return { ...step, description: texts.join("\n\n") };
    }
    const changesAction = ACTIONS.some((key) => values[key] !== undefined);
    const kept = Object.entries(step).filter(([key]) => !changesAction || !ACTIONS.includes(key));
    return { ...Object.fromEntries(kept), ...values };
  });
}

/** Who needed it needs what it needed. */
function skipped(steps: RawStep[], id: string): RawStep[] {
  const gone = steps.find((step) => step["id"] === id);
  const inherited = (gone?.["needs"] ?? []) as string[];
  return steps
    .filter((step) => step !== gone)
    .map((step) => {
      const needs = (step["needs"] ?? []) as string[];
      if (!needs.includes(id)) return step;
      return {
        ...step,
        needs: [...new Set(needs.flatMap((one) => (one === id ? inherited : [one])))],
      };
    });
}

/** Found in a step that was changed: the line is the override's. */
function blamed(
  findings: Finding[],
  about: { own: FormulaFile; changed: RawStep[]; overrides: Override[] },
): Problem[] {
  const { own, changed, overrides } = about;
  const locate = locateKeys(own.text);
  return findings.map(({ path, message }) => {
    const id = typeof path[1] === "number" ? changed[path[1]]?.["id"] : undefined;
    const override = overrides.find(({ stepId }) => stepId === id);
    const place =
      override === undefined ? [OVERRIDES] : [OVERRIDES, override.index, ...path.slice(2)];
    return { file: own.file, line: locate(place), key: formatKey(place), message };
  });
}
