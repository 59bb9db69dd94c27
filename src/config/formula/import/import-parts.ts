// What a file of another system consists of, by its kind: steps, legs, a template, or rules that add
// steps.
import { idOf, rewired, sourcesIn, textAt, textsAt, type RawTable } from "../step-source.ts";
import { isTable } from "../table.ts";
import { idText, importStep, type ImportedStep, type StepImport } from "./import-step.ts";

export type FormulaType = "workflow" | "convoy" | "expansion" | "aspect";

/** `read`: the keys of the file that were understood. */
export type Parts = { tables: RawTable; read: string[] };

/** By what it has, where it does not say it. */
export function typeOf(root: RawTable): FormulaType {
  if (root["legs"] !== undefined) return "convoy";
  if (root["template"] !== undefined) return "expansion";
  if (root["advice"] !== undefined) return "aspect";
  // Some systems call legs without a synthesis aspects.
  return root["aspects"] === undefined ? "workflow" : "convoy";
}

export function importParts(root: RawTable, type: FormulaType, by: StepImport): Parts {
  switch (type) {
    case "convoy":
      return convoyParts(root, by);
    case "expansion":
      return {
        tables: { template: stepsOf(tablesIn(root["template"]).map(byTarget), by) },
        read: ["template"],
      };
    case "aspect":
      return aspectParts(root, by);
    case "workflow":
      return workflowParts(root, by);
  }
}

function workflowParts(root: RawTable, by: StepImport): Parts {
  const raw = tablesIn(root["steps"]);
  const rules = raw.flatMap((step) => {
    const name = textAt(step, "expand");
    if (name === "") return [];
    const vars = isTable(step["expand_vars"]) ? { vars: step["expand_vars"] } : {};
    return [{ target: idText(textAt(step, "id")), with: name, ...vars }];
  });
  const plain = raw.map((step) => withoutKeys(step, ["expand", "expand_vars"]));
  const compose = composeOf(root["compose"], rules, by);
  return {
    tables: {
      ...(compose === undefined ? {} : { compose }),
      ...(plain.length === 0 ? {} : { steps: stepsOf(plain, by) }),
    },
    read: ["steps"],
  };
}

function composeOf(value: unknown, own: RawTable[], by: StepImport): RawTable | undefined {
  const rules = isTable(value) ? value : {};
  const { expand, map, aspects, ...others } = rules;
  for (const key of Object.keys(others)) by.note(`compose.${key} is dropped`);
  const all = [
    ...tablesIn(isTable(expand) ? [expand] : expand).map((rule) => expandRule(rule, "target")),
    ...tablesIn(isTable(map) ? [map] : map).map((rule) => expandRule(rule, "select")),
    ...own,
  ];
  const names = textsAt({ aspects }, "aspects");
  if (all.length + names.length === 0) return undefined;
  return {
    ...(names.length === 0 ? {} : { aspects: names }),
    ...(all.length === 0 ? {} : { expand: all }),
  };
}

const expandRule = (rule: RawTable, key: string): RawTable => ({
  target: textAt(rule, key).replaceAll(".", "-"),
  with: textAt(rule, "with"),
  ...(isTable(rule["vars"]) ? { vars: rule["vars"] } : {}),
});

/** Steps that stand for one step are what its dependents need. */
function stepsOf(raw: RawTable[], by: StepImport): RawTable[] {
  const made: [string, ImportedStep][] = raw.map((step) => [
    idText(textAt(step, "id")),
    importStep(step, by),
  ]);
  const steps = made.flatMap(([, one]) => one.steps);
  const sources = sourcesIn(steps, { path: [], within: undefined });
  const wired = made.reduce(
    (all, [id, { ends }]) => (ends.includes(id) ? all : rewired(all, id, ends)),
    sources,
  );
  const ids = new Set(wired.map(idOf));
  return wired.map(({ raw: step }) => {
    const needs = textsAt(step, "needs");
    const missing = needs.filter((need) => !ids.has(need));
    if (missing.length === 0 || needs.some((need) => need.includes("{"))) return step;
    for (const need of missing) {
      by.note(`steps.${textAt(step, "id")} needed "${need}", which is not a step: dropped`);
    }
    return { ...step, needs: needs.filter((need) => ids.has(need)) };
  });
}

const LEG_KEYS = ["id", "title", "description", "model"];

function convoyParts(root: RawTable, by: StepImport): Parts {
  const prompts = isTable(root["prompts"]) ? root["prompts"] : {};
  for (const key of Object.keys(prompts).filter((one) => one !== "base" && one !== "synthesis")) {
    by.note(`prompts.${key} is dropped`);
  }
  const base = textAt(prompts, "base");
  const legs = tablesIn(root["legs"] ?? root["aspects"]).map((leg) => importLeg(leg, by));
  if (root["output"] !== undefined) {
    by.note("output: a leg writes to $PAWL_RESULT_FILE, the synthesis reads from $PAWL_INPUTS");
  }
  if (root["presets"] !== undefined) by.note("presets are dropped: all legs run");
  const synthesis = isTable(root["synthesis"]) ? root["synthesis"] : undefined;
  return {
    tables: {
      ...(base === "" ? {} : { prompt: by.text(base) }),
      legs,
      ...(synthesis === undefined
        ? {}
        : { synthesis: importSynthesis(synthesis, textAt(prompts, "synthesis"), by) }),
    },
    read: ["legs", "aspects", "prompts", "synthesis", "output", "presets"],
  };
}

/** What is said of one leg only is its input. */
function importLeg(leg: RawTable, by: StepImport): RawTable {
  const id = idText(textAt(leg, "id"));
  const made: RawTable = { id };
  const input: RawTable = {};
  for (const [key, value] of Object.entries(leg)) {
    if (key === "id") continue;
    if (LEG_KEYS.includes(key) && typeof value === "string") made[key] = by.text(value);
    else if (typeof value === "string" && key !== "agent") input[key] = by.text(value);
    else by.note(`legs.${id}.${key} is dropped`);
  }
  return Object.keys(input).length === 0 ? made : { ...made, input };
}

function importSynthesis(synthesis: RawTable, prompt: string, by: StepImport): RawTable {
  const needs = textsAt(synthesis, "depends_on").map(idText);
  const title = textAt(synthesis, "title");
  const description = [prompt, textAt(synthesis, "description")].filter((one) => one !== "");
  for (const key of Object.keys(synthesis)) {
    if (!["title", "description", "depends_on"].includes(key))
      by.note(`synthesis.${key} is dropped`);
  }
  return {
    ...(title === "" ? {} : { title: by.text(title) }),
    ...(description.length === 0 ? {} : { description: by.text(description.join("\n\n")) }),
    ...(needs.length === 0 ? {} : { needs }),
  };
}

function aspectParts(root: RawTable, by: StepImport): Parts {
  const patterns = tablesIn(root["pointcuts"]).flatMap((one) => textAt(one, "glob") || []);
  const advice = tablesIn(root["advice"]).map((rule) => {
    const around = isTable(rule["around"]) ? rule["around"] : {};
    const side = (key: string): RawTable[] =>
      [rule[key], around[key]].flatMap((one) => tablesIn(isTable(one) ? [one] : one));
    const target = textAt(rule, "target");
    if (patterns.length > 0 && !patterns.includes(target)) {
      by.note(`pointcuts: the rule for "${target}" applies to every step that it matches`);
    }
    for (const key of Object.keys(rule)) {
      if (!["target", "before", "after", "around"].includes(key))
        by.note(`advice.${key} is dropped`);
    }
    const [before, after] = [side("before"), side("after")].map((list) =>
      stepsOf(list.map(byTarget), by),
    );
    return {
      target: target.replaceAll(".", "-"),
      ...(before === undefined || before.length === 0 ? {} : { before }),
      ...(after === undefined || after.length === 0 ? {} : { after }),
    };
  });
  return { tables: { advice }, read: ["advice", "pointcuts"] };
}

/** One name for the step that a template is filled for. */
const byTarget = (raw: RawTable): RawTable =>
  Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [
      key,
      typeof value === "string"
        ? value.replaceAll("{step.id}", "{target}").replaceAll("{step.", "{target.")
        : value,
    ]),
  );

const withoutKeys = (table: RawTable, keys: string[]): RawTable =>
  Object.fromEntries(Object.entries(table).filter(([key]) => !keys.includes(key)));

const tablesIn = (value: unknown): RawTable[] =>
  Array.isArray(value) ? value.filter((one) => isTable(one)) : [];
