// Gates as people see them.
import { gateText } from "../../api/formula-plan.ts";
import type { EscalationView } from "../../api/escalations.ts";
import type { GateView } from "../../api/gates.ts";
import { GATE_CHOICES } from "../../core/gate/answer.ts";
import {
  askedSince,
  asksPerson,
  isOpen,
  takesAnyText,
  type Gate,
  type Waiter,
} from "../../core/gate/gate.ts";
import { iso } from "./agents.ts";

export function gateView(gate: Gate): GateView {
  const { closed } = gate;
  const at = (time: number | undefined): string | null => (time === undefined ? null : iso(time));
  return {
    id: gate.id,
    project: gate.project,
    type: gate.spec.kind,
    title: gate.title,
    waits_for: gateText(gate.spec),
    state: stateOf(gate),
    by: gate.by,
    opened_at: iso(gate.openedAt),
    due_at: at(gate.dueAt),
    escalates_at: isOpen(gate) && !gate.overdue ? at(gate.escalateAt) : null,
    seen: gate.seen,
    waiters: gate.waiters.map(waiterText),
    closed_at: at(closed?.at),
    closed_by: closed?.by ?? null,
    reason: closed?.reason ?? null,
  };
}

function stateOf({ closed, overdue }: Gate): GateView["state"] {
  if (closed !== undefined) return closed.met ? "closed" : "refused";
  return overdue ? "overdue" : "open";
}

/** A gate that a person is asked about; undefined where no person is asked. */
export function gateQuestion(gate: Gate): EscalationView | undefined {
  if (!asksPerson(gate)) return undefined;
  const { spec, title, seen } = gate;
  const late = `still open: ${gateText(spec)}${seen === "" ? "" : ` (${seen})`}`;
  return {
    project: gate.project,
    issue: null,
    title,
    run: null,
    identity: `gate:${gate.id}`,
    reason: spec.kind === "human" ? spec.question : late,
    since: iso(askedSince(gate)),
    deadline: null,
    phase: null,
    pr: null,
    branch: null,
    alive: false,
    choices: takesAnyText(gate) ? [] : [...GATE_CHOICES],
  };
}

const waiterText = (waiter: Waiter): string =>
  waiter.kind === "identity"
    ? waiter.identity
    : waiter.formula.slice(waiter.formula.indexOf("/") + 1);
