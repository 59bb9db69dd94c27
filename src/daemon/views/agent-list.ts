// All identities as `pawl agents` lists them: the daemon first, then the newest life of each.
import type { AgentView } from "../../api/agents.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { Paths } from "../host/paths.ts";
import { agentView, iso, pastView } from "./agents.ts";
import { daemonView } from "./daemon.ts";
import { endedRuns, livingRuns } from "./find-runs.ts";

export type Probe = Terminal["probe"];

export type ListContext = {
  store: Pick<StoreReader, "records">;
  paths: Paths;
  now: number;
  probe: Probe;
  /** A daemon keeps what is known of each session fresh; without one, each process is probed. */
  isWatched: boolean;
  /** The lives before the present one of each identity are listed too. */
  isEveryLife?: boolean;
};

/** So many runs that ended last are listed too where past ones are asked for. */
const PAST_MAX = 1000;

/** Later attempts last. */
export async function listedRuns(
  store: StoreReader,
  { isPastToo }: { isPastToo: boolean },
): Promise<Run[]> {
  const past = isPastToo ? await endedRuns(store, { limit: PAST_MAX }) : [];
  return [...past.toReversed(), ...(await livingRuns(store))];
}

export async function agentList(runs: Run[], context: ListContext): Promise<AgentView[]> {
  const byIdentity = new Map<string, AgentView>();
  const past: AgentView[] = [];
  // Later attempts come later and replace earlier ones.
  for (const run of runs) {
    const view = agentView(run, context);
    if (view === undefined) continue;
    if (context.isEveryLife === true) past.push(...livesBefore(run, context));
    const seen = context.isWatched ? view : await lookedAt(view, run, context);
    byIdentity.set(`${run.project}/${run.identity}`, seen);
  }
  const daemon = await daemonView(context);
  return [...(daemon === undefined ? [] : [daemon]), ...past, ...byIdentity.values()];
}

const livesBefore = (run: Run, context: ListContext): AgentView[] =>
  (run.lives ?? []).flatMap((life) => pastView(run, life, context) ?? []);

/** What is known of a session may be old; a process that lives is neither terminated nor unseen. */
async function lookedAt(
  view: AgentView,
  { session }: Run,
  { probe, now }: Pick<ListContext, "probe" | "now">,
): Promise<AgentView> {
  if (session?.process === undefined || session.status === "ended") return view;
  const probed = await probe(session.process);
  if (probed === "dead") return { ...view, liveness: "red" };
  if (probed !== "alive") return view;
  return { ...view, status: "active", liveness: "green", last_seen: iso(now) };
}
