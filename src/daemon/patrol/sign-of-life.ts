// Where a patrol leaves its sign of life, and what is in it. It is published, not journaled: a round
// in which all is well writes nothing.
import { join } from "node:path";
import type { ProjectName } from "../../core/ids.ts";
import type { PatrolName } from "../../core/patrol/patrol.ts";

export type Round = { at: number; rounds: number; everyMs: number };

export const patrolFile = (folder: string, name: PatrolName): string =>
  join(folder, "patrols", `${name}.json`);

export function signOfLife(project: ProjectName, name: PatrolName, round: Round): string {
  const sign = {
    patrol: name,
    project,
    last_activity: new Date(round.at).toISOString(),
    rounds: round.rounds,
    every_s: round.everyMs / 1000,
  };
  return `${JSON.stringify(sign, null, 2)}\n`;
}
