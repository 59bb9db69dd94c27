// A gate: something waits for a condition. It is open until the condition is met or refused, or
// until it is no longer needed. Closing it and waking its waiters is one transaction.
//
//   open ──(timer due · observed · told · by hand)──> closed
//     └──(still open at its deadline)──> overdue: an escalation, reminded of once; it stays open until
//                                        a person closes it, puts it off, or what it waits for comes
import type { AggregateId, ProjectName } from "../ids.ts";
import type { GateKind, GateSpec } from "./spec.ts";

export type Waiter =
  /** `key`: the attempt that waits. */
  | { kind: "step"; formula: AggregateId; key: string }
  /** Gets a letter. */
  | { kind: "identity"; identity: string };

export type Gate = {
  kind: "gate";
  project: ProjectName;
  id: string;
  /** Whose request it was: the same again is the same gate. */
  key: string;
  spec: GateSpec;
  title: string;
  by: string;
  openedAt: number;
  waiters: Waiter[];
  /** When a person is told that it is still open. */
  escalateAt: number | undefined;
  overdue: boolean;
  /** After so long a person is asked; not in gates of an earlier version. */
  escalateMs?: number;
  /** While it is overdue: when the person who was asked is reminded. */
  remindAt?: number;
  /** Of a timer: when it closes. */
  dueAt: number | undefined;
  /** How often it was looked at, and when the next look is due; undefined while one is under way. */
  looks: number;
  lookAt: number | undefined;
  /** What the last look said. */
  seen: string;
  closed: { at: number; by: string; met: boolean; reason: string } | undefined;
};

const OBSERVED: readonly GateKind[] = ["ci", "pr", "issue", "command"];

/** Whether it has to be looked at to know. */
export const isObserved = ({ kind }: GateSpec): boolean => OBSERVED.includes(kind);

/** A question that only a person can answer: it was one from the beginning, or waits too long. */
export const asksPerson = (gate: Gate): boolean =>
  isOpen(gate) && (gate.overdue || gate.spec.kind === "human");

/** Such a question asks for words, not for a decision. */
export const takesAnyText = ({ spec }: Gate): boolean =>
  spec.kind === "human" && spec.anyText === true;

/** Since when it has been one. */
export const askedSince = ({ overdue, escalateAt, openedAt }: Gate): number =>
  overdue ? (escalateAt ?? openedAt) : openedAt;

export const isOpen = ({ closed }: Gate): boolean => closed === undefined;
