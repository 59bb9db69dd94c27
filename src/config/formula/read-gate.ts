// The `gate` of a step: a table with `type`, or just the type as a text.
import { GATE_ALIASES, GATE_KINDS, type GateSpec } from "../../core/gate/spec.ts";
import type { Table } from "./table.ts";

const EVERY_MS = 60_000;
const COMMAND_TIMEOUT_MS = 60_000;

/** A person is asked about a gate that is still open after this long. */
const ESCALATE_MS = 24 * 60 * 60_000;

const TYPES = [...GATE_KINDS, ...Object.keys(GATE_ALIASES)];

/** `title` is what a person is asked where the gate says nothing itself. */
export function readGate(
  table: Table,
  title: string,
): { gate: GateSpec; escalateMs: number } | undefined {
  const type = table.choice("type", TYPES);
  if (type === undefined) {
    if (!table.has("type")) table.note("type", `is missing. Write one of ${TYPES.join(", ")}.`);
    return undefined;
  }
  const kind = GATE_ALIASES[type] ?? GATE_KINDS.find((one) => one === type);
  const gate = kind === undefined ? undefined : readKind(table, kind, title);
  // Of a timer it is the span, of a command the limit of one look.
  const own = kind === "timer" || kind === "command" ? undefined : table.durationMs("timeout");
  table.close();
  return gate === undefined ? undefined : { gate, escalateMs: own ?? ESCALATE_MS };
}

function readKind(table: Table, kind: GateSpec["kind"], title: string): GateSpec | undefined {
  switch (kind) {
    case "timer": {
      const durationMs = table.durationMs("timeout");
      if (durationMs === undefined) return lacks(table, "timeout", '"10 min"');
      return { kind, durationMs };
    }
    case "human":
      return { kind, question: table.word("question") ?? title };
    case "mail":
      return { kind, about: table.word("question") ?? title };
    case "command":
      return readCommand(table);
    case "ci":
    case "pr":
    case "issue":
    case "vault": {
      const id = table.reference("await_id");
      return id === undefined ? lacks(table, "await_id", EXAMPLES[kind]) : about(kind, id);
    }
  }
}

const EXAMPLES = { ci: '"pawl/42"', pr: '"43"', issue: '"42"', vault: '"release-1"' };

function about(kind: "ci" | "pr" | "issue" | "vault", id: string): GateSpec {
  switch (kind) {
    case "ci":
      return { kind, of: id };
    case "pr":
      return { kind, pr: id };
    case "issue":
      return { kind, issue: id };
    case "vault":
      return { kind, item: id };
  }
}

function readCommand(table: Table): GateSpec | undefined {
  const command = table.word("command");
  const everyMs = table.durationMs("every") ?? EVERY_MS;
  const timeoutMs = table.durationMs("timeout") ?? COMMAND_TIMEOUT_MS;
  if (command === undefined) return lacks(table, "command", '"test -e done"');
  return { kind: "command", command, everyMs, timeoutMs };
}

function lacks(table: Table, key: string, example: string): undefined {
  if (!table.has(key)) table.note(key, `is missing. Write ${key} = ${example}.`);
  return undefined;
}
