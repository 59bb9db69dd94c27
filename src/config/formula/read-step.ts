// One [[steps]] of a formula: what it is called, what it needs, and the one thing that it does.
import type { FormulaStep, RunCommand, StepAction } from "../../core/formula/formula.ts";
import type { Condition } from "../../core/formula/condition.ts";
import { readCondition } from "../../core/formula/read-condition.ts";
import { RESULT_CHECKS } from "../../core/formula/result-check.ts";
import { readGate } from "./read-gate.ts";
import { describe, Table, type Finding } from "./table.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RETRIES_MAX = 10;
const ARGUMENTS_MAX = 100;

/** A person or a pull request takes its time, a command does not. */
const TIMEOUT_MS: Record<StepAction["kind"], number> = {
  run: 10 * MINUTE_MS,
  builtin: 10 * MINUTE_MS,
  gate: 7 * 24 * HOUR_MS,
  agent: 8 * HOUR_MS,
};

const STEP_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;

/** Undefined only where the step has no usable id: every other invalid value gets a default. */
export function readStep(table: Table, findings: Finding[]): FormulaStep | undefined {
  const id = readId(table);
  const title = table.word("title") ?? id ?? "";
  const step = {
    title,
    description: table.text("description") ?? "",
    needs: table.texts("needs") ?? [],
    when: readWhen(table),
    retries: table.count("retries", { from: 0, to: RETRIES_MAX }) ?? 0,
  };
  const action = readAction(table, title, findings);
  const timeoutMs = table.durationMs("timeout") ?? TIMEOUT_MS[action.kind];
  table.close();
  return id === undefined ? undefined : { id, ...step, action, timeoutMs };
}

function readId(table: Table): string | undefined {
  const id = table.word("id");
  if (id === undefined) {
    if (!table.has("id")) table.note("id", 'is missing. Write id = "a-short-name".');
    return undefined;
  }
  if (STEP_ID.test(id)) return id;
  table.note("id", `is "${id}". Use letters, digits, "-" and "_", at most 60 characters.`);
  return undefined;
}

function readWhen(table: Table): Condition | undefined {
  const text = table.word("when");
  if (text === undefined) return undefined;
  const read = readCondition(text);
  if (read.kind === "condition") return read.condition;
  table.note("when", read.problem);
  return undefined;
}

export const ROLES = [
  "action",
  "review",
  "gardener",
  "supervisor",
  "planner",
  "predictor",
] as const;
export const AGENT_OUTPUTS = ["result", "branch", "either"] as const;
const AGENT_KEYS = ["role", "output", "result", "model", "files"];

function readAction(table: Table, title: string, findings: Finding[]): StepAction {
  const ways = ["run", "builtin", "gate"].filter((key) => table.has(key));
  if (ways.length > 1) {
    table.note(
      ways[1],
      `cannot be used together with ${ways[0]}. A step does one thing: write two steps.`,
    );
  }
  const command = readCommand(table);
  const builtin = table.word("builtin");
  const gate = gateTable(table, findings);
  const inputs = readInputs(table, { wanted: builtin !== undefined });
  const agent = readAgent(table, { wanted: ways.length === 0 });
  if (command !== undefined) return { kind: "run", command };
  if (builtin !== undefined) return { kind: "builtin", name: builtin, with: inputs };
  const spec = gate === undefined ? undefined : readGate(gate, title);
  return spec === undefined ? agent : { kind: "gate", ...spec };
}

/** `gate = "human"` is `gate = { type = "human" }`. */
function gateTable(table: Table, findings: Finding[]): Table | undefined {
  const gate = table.raw("gate");
  if (gate === undefined) return undefined;
  return new Table(
    typeof gate === "string" ? { type: gate } : gate,
    table.placeOf("gate"),
    findings,
  );
}

/** A text for `sh -c`, or a program and its arguments. */
function readCommand(table: Table): RunCommand | undefined {
  const value = table.raw("run");
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.trim() !== "") return { kind: "shell", text: value };
  const isArgv = Array.isArray(value) && value.every((one) => typeof one === "string");
  if (isArgv && value.length <= ARGUMENTS_MAX && (value[0] ?? "").trim() !== "") {
    return { kind: "argv", argv: value };
  }
  table.note("run", `is ${describe(value)}. Write "a command", or ["program", "argument"].`);
  return undefined;
}

function readInputs(table: Table, { wanted }: { wanted: boolean }): Record<string, string> {
  const inputs = table.table("with");
  if (inputs === undefined) return {};
  if (!wanted) table.note("with", "is only for a step with builtin.");
  return Object.fromEntries(
    inputs.keys().flatMap((key) => {
      const value = inputs.reference(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

function readAgent(table: Table, { wanted }: { wanted: boolean }): StepAction {
  const role = table.choice("role", ROLES) ?? "action";
  // Files of other systems do not say which of their steps change the repository.
  const usual = table.has("result") ? "result" : "either";
  const output = table.choice("output", AGENT_OUTPUTS) ?? usual;
  const result = table.choice("result", Object.keys(RESULT_CHECKS)) ?? "text";
  const model = table.word("model");
  const files = table.texts("files");
  if (files !== undefined && (files.length === 0 || output === "result")) {
    table.note("files", 'names what a branch may change: write patterns, and output = "branch".');
  }
  for (const key of wanted ? [] : AGENT_KEYS.filter((one) => table.has(one))) {
    table.note(key, "is only for a step that an agent does.");
  }
  return { kind: "agent", role, output, result, model, ...(files === undefined ? {} : { files }) };
}
