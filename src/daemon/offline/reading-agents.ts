// `pawl agents` where no daemon runs: the same view as the API's.
import type { AgentView } from "../../api/agents.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { agentList, listedRuns, type Probe } from "../views/agent-list.ts";
import { readJournal } from "./read-journal.ts";

export const readAgents = (
  place: FactoryPlace,
  asked: { isPastToo: boolean; isEveryLife: boolean },
): Promise<AgentView[]> =>
  readJournal(place, async (journal) => {
    const runs = await listedRuns(journal.store, asked);
    const { isEveryLife } = asked;
    return agentList(runs, { ...journal, probe, isWatched: false, isEveryLife });
  });

/** Only a session that has not ended is looked for among the processes of this machine. */
const probe: Probe = async (id) => {
  const { probeProcess } = await import("../../adapters/shared/process-table.ts");
  return probeProcess(id);
};
