// One step of another system's formula as steps of ours: a gate becomes a step of its own before it,
// children and loops become steps side by side or one after the other.
import { GATE_ALIASES, GATE_KINDS } from "../../../core/gate/spec.ts";
import { variableOf } from "../../../core/formula/formula.ts";
import { RESULT_CHECKS } from "../../../core/formula/result-check.ts";
import { readCondition } from "../../../core/formula/read-condition.ts";
import { parseDuration } from "../../../lib/duration.ts";
import { AGENT_OUTPUTS, ROLES } from "../read-step.ts";
import { textAt, textsAt, type RawTable } from "../step-source.ts";
import { isTable } from "../table.ts";

export type StepImport = {
  /** `{{…}}` of a text. */
  text: (text: string) => string;
  note: (text: string) => void;
};

/** `ends`: what needed the step needs these. */
export type ImportedStep = { steps: RawTable[]; ends: string[] };

export const idText = (id: string): string =>
  id
    .replaceAll("{step.id}", "{target}")
    .replaceAll(/[^A-Za-z0-9_{}-]/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 60);

const KEPT = ["run", "builtin", "with", "retries", "model", "title"];
const READ = ["id", "description", "needs", "depends_on", "waits_for", "gate", "condition", "when"];
const PROSE: Record<string, string> = {
  acceptance: "Done when:",
  notes: "Notes:",
  on_complete: "When it is done:",
};

const WHY: Record<string, string> = {
  parallel: ": steps that do not depend on each other run in parallel anyway",
};

export function importStep(raw: RawTable, by: StepImport): ImportedStep {
  const id = idText(textAt(raw, "id"));
  const needs = needsIn(raw);
  if (Array.isArray(raw["children"])) return withChildren(raw, { id, needs }, by);
  if (isTable(raw["loop"])) return withLoop(raw, { id, needs }, by);
  const before = gateStep(raw, { id, needs }, by);
  const step = stepTable(raw, id, by);
  const entry = before.step === undefined ? needs : [textAt(before.step, "id")];
  const kept = { ...step, ...(entry.length === 0 ? {} : { needs: entry }) };
  const prose =
    before.prose === "" ? {} : { description: joined(before.prose, textAt(step, "description")) };
  return {
    steps: [...(before.step === undefined ? [] : [before.step]), { ...kept, ...prose }],
    ends: [id],
  };
}

function stepTable(raw: RawTable, id: string, by: StepImport): RawTable {
  const step: RawTable = { id };
  let description = by.text(textAt(raw, "description"));
  for (const [key, value] of Object.entries(raw)) {
    if (READ.includes(key)) continue;
    if (key === "title") step["title"] = by.text(String(value));
    else if (key === "run" && typeof value === "string") step["run"] = shellText(value);
    else if (KEPT.includes(key)) step[key] = value;
    else if (isOurs(key, value)) step[key] = value;
    else if (key === "output" && typeof value === "string") {
      description = joined(description, `Its output belongs in ${by.text(value)}.`);
      by.note(`steps.${id}.output is in the description now`);
    } else if (PROSE[key] !== undefined) {
      const text = typeof value === "string" ? by.text(value) : JSON.stringify(value);
      description = joined(description, `${PROSE[key]} ${text}`);
      by.note(`steps.${id}.${key} is in the description now`);
    } else by.note(`"${key}" of steps is dropped${WHY[key] ?? ""}`);
  }
  const condition = conditionOf(raw, id, by);
  if (condition.when !== undefined) step["when"] = condition.when;
  const all = joined(condition.prose, description);
  return all === "" ? step : { ...step, description: all };
}

/** A shell gets its variables through its environment. */
const shellText = (text: string): string =>
  text.replaceAll(
    /\{\{\s*\.?([A-Za-z][\w-]*)\s*\}\}/g,
    (_, name: string) => `\${${variableOf(name)}}`,
  );

/** Keys that other systems have too, with other values. */
function isOurs(key: string, value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (key === "timeout") return parseDuration(value) !== undefined;
  if (key === "role") return (ROLES as readonly string[]).includes(value);
  if (key === "output") return (AGENT_OUTPUTS as readonly string[]).includes(value);
  return key === "result" && RESULT_CHECKS[value as keyof typeof RESULT_CHECKS] !== undefined;
}

function needsIn(raw: RawTable): string[] {
  const waits = [raw["waits_for"]].flat().filter((one) => typeof one === "string");
  const named = [...textsAt(raw, "needs"), ...textsAt(raw, "depends_on"), ...waits];
  // Others wait for the children of a step by words such as these; ours are needed anyway.
  return [...new Set(named.filter((one) => !/children/.test(one)).map(idText))];
}

function conditionOf(raw: RawTable, id: string, by: StepImport): { when?: string; prose: string } {
  const text = textAt(raw, "when") || textAt(raw, "condition");
  if (text === "") return { prose: "" };
  const when = text
    .replaceAll(/!\s*\{\{\s*\.?([\w-]+)\s*\}\}/g, "not vars.$1")
    .replaceAll(/\{\{\s*\.?([\w-]+)\s*\}\}/g, "vars.$1")
    .replaceAll(/(==|!=)\s*([A-Za-z][\w-]*)\s*$/g, "$1 '$2'");
  if (readCondition(when).kind === "condition") return { when, prose: "" };
  by.note(`steps.${id}.condition is in the description now: ${text}`);
  return { prose: `Do this only if: ${text}` };
}

const OTHER_GATES: Record<string, string> = { bead: "issue", approval: "human", manual: "human" };

/** The step waits first: a step of ours does one thing. */
function gateStep(
  raw: RawTable,
  { id, needs }: { id: string; needs: string[] },
  by: StepImport,
): { step: RawTable | undefined; prose: string } {
  // A step that is a person's to do waits for that person.
  const value = raw["gate"] ?? (raw["type"] === "human" ? "human" : undefined);
  if (value === undefined) return { step: undefined, prose: "" };
  const gate: RawTable = isTable(value) ? value : { type: value };
  const type = OTHER_GATES[textAt(gate, "type")] ?? textAt(gate, "type");
  const kind = GATE_ALIASES[type] ?? GATE_KINDS.find((one) => one === type);
  const table = kind === undefined ? undefined : gateTable(gate, { type, kind, by });
  if (table === undefined) {
    by.note(`steps.${id}.gate is in the description now: ${JSON.stringify(value)}`);
    const about = textAt(gate, "condition") || JSON.stringify(value);
    return { step: undefined, prose: `Do this only if: ${about}` };
  }
  by.note(`steps.${id}.gate is a step of its own now: ${id}-gate`);
  const title = `Wait before: ${by.text(textAt(raw, "title")) || id}`;
  const entry = needs.length === 0 ? {} : { needs };
  return { step: { id: idText(`${id}-gate`), title, ...entry, gate: table }, prose: "" };
}

function gateTable(
  gate: RawTable,
  { type, kind, by }: { type: string; kind: string; by: StepImport },
): RawTable | undefined {
  const id = gate["await_id"] ?? gate["id"];
  const span = textAt(gate, "timeout");
  const timeout = parseDuration(span) === undefined ? {} : { timeout: span };
  switch (kind) {
    case "timer":
      return "timeout" in timeout ? { type, ...timeout } : undefined;
    case "human":
    case "mail": {
      const question = textAt(gate, "question");
      return { type, ...(question === "" ? {} : { question: by.text(question) }), ...timeout };
    }
    case "command": {
      const command = textAt(gate, "command");
      return command === "" || command.includes("{{") ? undefined : { type, command, ...timeout };
    }
    default:
      // A workflow is named by its file; Pawl knows checks by what they judge.
      if (typeof id === "string" && /\.ya?ml$/.test(id)) {
        return { type: "human", question: `Has ${id} succeeded?` };
      }
      return typeof id === "string" || typeof id === "number"
        ? { type, await_id: by.text(String(id)), ...timeout }
        : undefined;
  }
}

/** The step is what its children are. */
function withChildren(
  raw: RawTable,
  { id, needs }: { id: string; needs: string[] },
  by: StepImport,
): ImportedStep {
  by.note(`steps.${id} was replaced by its children`);
  const made = (raw["children"] as RawTable[]).map((child) => importStep(child, by));
  return entered(made, needs);
}

function entered(made: ImportedStep[], needs: string[]): ImportedStep {
  const own = made.flatMap(({ steps }) => steps);
  const ids = own.map((step) => textAt(step, "id"));
  const steps = own.map((step) => {
    const before = textsAt(step, "needs");
    const all = before.some((one) => ids.includes(one)) ? before : [...needs, ...before];
    return all.length === 0 ? step : { ...step, needs: [...new Set(all)] };
  });
  const needed = new Set(steps.flatMap((step) => textsAt(step, "needs")));
  return { steps, ends: ids.filter((one) => !needed.has(one)) };
}

const ROUNDS_MAX = 50;

/** A number of rounds is written out; rounds until something holds are one agent's. */
function withLoop(
  raw: RawTable,
  { id, needs }: { id: string; needs: string[] },
  by: StepImport,
): ImportedStep {
  const loop = raw["loop"] as RawTable;
  const body = Array.isArray(loop["body"]) ? (loop["body"] as RawTable[]) : [];
  const count = Number(loop["count"]);
  if (!Number.isInteger(count) || count < 1 || count > ROUNDS_MAX || body.length === 0) {
    by.note(`steps.${id}.loop is in the description now`);
    const { body: _, ...rule } = loop;
    const tasks = body.map((one) => `- ${textAt(one, "title")}: ${textAt(one, "description")}`);
    const prose = [`Repeat this (${JSON.stringify(rule)}):`, ...tasks].join("\n");
    const { loop: __, ...rest } = raw;
    return importStep({ ...rest, description: joined(textAt(raw, "description"), prose) }, by);
  }
  by.note(`steps.${id}.loop is written out: ${count} rounds`);
  let round: ImportedStep = { steps: [], ends: needs };
  const all: RawTable[] = [];
  for (let number = 1; number <= count; number += 1) {
    const named = (one: string): string => idText(`${id}-${number}-${one}`);
    const ids = new Set(body.map((one) => textAt(one, "id")));
    const copies = body.map((one) => ({
      ...one,
      id: named(textAt(one, "id")),
      needs: needsIn(one).map((need) => (ids.has(need) ? named(need) : need)),
    }));
    round = entered(
      copies.map((one) => importStep(one, by)),
      round.ends,
    );
    all.push(...round.steps);
  }
  return { steps: all, ends: round.ends };
}

const joined = (...parts: string[]): string =>
  parts.filter((part) => part.trim() !== "").join("\n\n");
