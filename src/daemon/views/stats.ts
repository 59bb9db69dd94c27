// Statistics of a stretch of days: runs that are over from the history, those at work from the
// journal, money from what agents told. The sums themselves are core/stats.ts.
import type { StatsSums, StatsView } from "../../api/stats.ts";
import { dayOf } from "../../core/budget.ts";
import { runFacts } from "../../core/history.ts";
import type { ProjectName } from "../../core/ids.ts";
import { statOfDay, failures, landedAt, loadOver, meanParts, median } from "../../core/stats.ts";
import type { Part, RunStat } from "../../core/stats.ts";
import { tokensOf, type Usage, type UsageRow } from "../../core/usage.ts";
import type { HistoryRow, StoreReader } from "../../ports/store.ts";
import { recordedUsage } from "../sessions/usage.ts";
import { iso } from "./agents.ts";
import { budgetViews } from "./budgets.ts";

const DAY_MS = 24 * 60 * 60_000;
const PAGE = 1000;
const SLICES = 120;

/** CI tests the merged result, so that a conflict is found there, too. */
const CAUSES: Readonly<Record<string, string>> = {
  "CI failed": "CI failed, or found a conflict",
};

type Query = {
  /** The days up to now. */
  days: number;
  project: ProjectName | undefined;
  role: string | undefined;
  now: number;
};

export async function statsView(store: StoreReader, query: Query): Promise<StatsView> {
  const { project, role, now } = query;
  const from = Math.floor(now / DAY_MS) * DAY_MS - (query.days - 1) * DAY_MS;
  const only = project === undefined ? {} : { project };
  const living = await store.aggregates({ kind: "run", ...only });
  const all = [
    ...(await endedSince(store, { from, project })),
    ...living.flatMap(({ state }) => (state.kind === "run" ? [livingStat(state, now)] : [])),
  ];
  const runs = role === undefined ? all : all.filter((run) => run.role === role);
  const days = Array.from({ length: query.days }, (_, index) => dayOf(from + index * DAY_MS));
  const costs = costsOf(await recordedUsage(store), { days, project, role });
  const queueRuns = role === undefined ? await queueRunsOf(store, project) : {};
  const inDays = days.map((day) => sumsOf(runs, { day, queueRuns, costs }));
  const projects = await store.aggregates({ kind: "project", isBrief: true, ...only });
  return {
    from: days[0] ?? dayOf(now),
    to: days.at(-1) ?? dayOf(now),
    project: project ?? null,
    role: role ?? null,
    roles: [...new Set(all.map((run) => run.role))].toSorted(),
    days: inDays,
    total: totalOf(runs, { from, inDays }),
    costs,
    failures: failures(runs, { from, to: now }).map(({ cause, count }) => ({
      cause: CAUSES[cause] ?? cause,
      count,
    })),
    load: loadOver(runs, { from, to: now, slices: SLICES }).map(({ at, ...load }) => ({
      at: iso(Math.round(at)),
      ...load,
    })),
    budgets: budgetViews(
      projects.map(({ state }) => state),
      now,
    ),
  };
}

/** Page by page: only rows of the history are read, never a compressed state. */
async function endedSince(
  store: StoreReader,
  { from, project }: { from: number; project: ProjectName | undefined },
): Promise<RunStat[]> {
  const found: RunStat[] = [];
  let after: HistoryRow | undefined;
  for (;;) {
    const rows = await store.history({
      kind: "run",
      ...(project === undefined ? {} : { project }),
      endedFrom: from,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    found.push(...rows.map(endedStat));
    after = rows.at(-1);
    if (rows.length < PAGE) return found;
  }
}

/** A run that an older version ended is counted, but where its time went is not known. */
const endedStat = ({ outcome, startedAt, endedAt, reference, facts }: HistoryRow): RunStat => ({
  role: /^\d+$/.test(reference) ? "dev" : (reference.split("-")[0] ?? "dev"),
  askedAt: startedAt,
  stages: [],
  lives: [],
  crashes: 0,
  ...facts,
  outcome,
  startedAt,
  endedAt,
});

function livingStat(run: Parameters<typeof runFacts>[0], now: number): RunStat {
  const facts = runFacts(run);
  const isAlive = run.session !== undefined && run.session.status !== "ended";
  const lives = isAlive
    ? [...facts.lives.slice(0, -1), { from: run.session?.startedAt ?? now, to: now }]
    : facts.lives;
  const { requestedAt: startedAt } = run;
  return { ...facts, lives, outcome: run.outcome?.kind, startedAt, endedAt: undefined };
}

async function queueRunsOf(
  store: StoreReader,
  project: ProjectName | undefined,
): Promise<Record<string, number>> {
  const only = project === undefined ? {} : { project };
  const sums: Record<string, number> = {};
  for (const { state } of await store.aggregates({ kind: "queue", ...only })) {
    if (state.kind !== "queue") continue;
    for (const [day, runs] of Object.entries(state.gateRuns ?? {})) {
      sums[day] = (sums[day] ?? 0) + runs;
    }
  }
  return sums;
}

type Costs = StatsView["costs"];

function costsOf(
  used: readonly Usage[],
  query: { days: string[]; project: ProjectName | undefined; role: string | undefined },
): Costs {
  const wanted = new Set(query.days);
  const sums = new Map<string, Costs[number]>();
  const add = ({ day, model, costUsd, ...tokens }: UsageRow, role: string): void => {
    const key = `${day} ${role} ${model}`;
    const sum = sums.get(key) ?? { day, model, role, cost_usd: 0, tokens: 0 };
    sum.cost_usd = rounded(sum.cost_usd + costUsd);
    sum.tokens += tokensOf(tokens);
    sums.set(key, sum);
  };
  for (const { project, role, rows } of used) {
    if (query.project !== undefined && project !== query.project) continue;
    if (query.role !== undefined && role !== query.role) continue;
    for (const row of rows) if (wanted.has(row.day)) add(row, role);
  }
  return [...sums.values()].toSorted((a, b) => a.day.localeCompare(b.day));
}

function sumsOf(
  runs: readonly RunStat[],
  { day, queueRuns, costs }: { day: string; queueRuns: Record<string, number>; costs: Costs },
): StatsView["days"][number] {
  const { landed, notLanded, leadMs, parts, ciRuns } = statOfDay(runs, day, queueRuns);
  const own = costs.filter((cost) => cost.day === day);
  return {
    day,
    landed,
    not_landed: notLanded,
    lead_seconds: leadMs === undefined ? null : seconds(leadMs),
    ...secondsIn(parts),
    ci_runs: ciRuns,
    ci_runs_per_landing: perLanding(ciRuns, landed),
    cost_usd: rounded(own.reduce((sum, cost) => sum + cost.cost_usd, 0)),
    tokens: own.reduce((sum, cost) => sum + cost.tokens, 0),
  };
}

function totalOf(
  runs: readonly RunStat[],
  { from, inDays }: { from: number; inDays: readonly StatsSums[] },
): StatsSums {
  const sum = (of: "landed" | "not_landed" | "ci_runs" | "cost_usd" | "tokens"): number =>
    inDays.reduce((total, day) => total + day[of], 0);
  const landed = runs.filter((run) => (landedAt(run) ?? -1) >= from);
  const lead = median(landed.map((run) => (landedAt(run) ?? 0) - run.askedAt));
  return {
    landed: sum("landed"),
    not_landed: sum("not_landed"),
    lead_seconds: lead === undefined ? null : seconds(lead),
    ...secondsIn(meanParts(landed)),
    ci_runs: sum("ci_runs"),
    ci_runs_per_landing: perLanding(sum("ci_runs"), sum("landed")),
    cost_usd: rounded(sum("cost_usd")),
    tokens: sum("tokens"),
  };
}

type PartSeconds = Pick<StatsSums, `${Part}_seconds`>;

const secondsIn = (parts: Record<Part, number>): PartSeconds => ({
  waiting_seconds: seconds(parts.waiting),
  working_seconds: seconds(parts.working),
  ci_seconds: seconds(parts.ci),
  review_seconds: seconds(parts.review),
  queue_seconds: seconds(parts.queue),
});

const perLanding = (ciRuns: number, landed: number): number | null =>
  landed === 0 ? null : Math.round((ciRuns / landed) * 100) / 100;

const seconds = (ms: number): number => Math.round(ms / 100) / 10;
const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;
