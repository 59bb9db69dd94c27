// The lanes of a run, one per resource: what needs the forge never keeps a session from being ended,
// saved or started. Where one effect needs another one's outcome, the run waits for that outcome.
//
// session: start, end, save and clear away. Nothing here asks a network, so nothing waits for one.
//          Its lane is the run's own name, as it was before there were others.
// git:     make the workspace, fetch the branch. Both ask upstream where the target is.
// forge:   claim, publish, settle, delete the branch: in this order on the forge as well.
import { runAggregate } from "../ids.ts";
import type { Run } from "./run.ts";

type Whose = Pick<Run, "project" | "id">;

export const gitLane = ({ project, id }: Whose): string => `${runAggregate(project, id)}:git`;
export const forgeLane = ({ project, id }: Whose): string => `${runAggregate(project, id)}:forge`;
