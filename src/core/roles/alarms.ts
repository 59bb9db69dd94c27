// What is pressing (P0 to P2) stands where people look for questions until it is over: as a gate that
// a person may answer. This file decides which of them are asked and which are withdrawn.
import type { Gate } from "../gate/gate.ts";
import type { Finding } from "./facts.ts";

const DAY_MS = 86_400_000;
const PREFIX = "alarm-";
export const PRESSING: readonly Finding["level"][] = ["P0", "P1", "P2"];

export type Alarm = { id: string; key: string; title: string; question: string };

/** `open`: the alarms that stand. An alarm that a person has answered is raised again the next day. */
export function alarmsOf(
  findings: readonly Finding[],
  open: readonly Gate[],
  at: number,
): { raised: Alarm[]; over: Gate[] } {
  const day = Math.floor(at / DAY_MS);
  const raised = findings
    .filter(({ level }) => PRESSING.includes(level))
    .map(({ level, name, text }) => ({
      id: idOf(name),
      key: `alarm:${name}:${day}`,
      title: `${level}: ${text}`,
      question: `${level}: ${text}. What should the supervisor do about it?`,
    }));
  const ids = new Set(raised.map(({ id }) => id));
  return { raised, over: open.filter(({ id }) => id.startsWith(PREFIX) && !ids.has(id)) };
}

/** The same thing has the same name whatever its numbers are. */
const idOf = (name: string): string =>
  `${PREFIX}${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 50)}`;
