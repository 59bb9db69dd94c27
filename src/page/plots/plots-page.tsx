// What the factory did, day by day: the numbers of `pawl stats`, drawn.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { StatsView } from "../../api/stats.ts";
import { CallError, get, inProject } from "../api.ts";
import { reading } from "../facts.ts";
import { createReader } from "../reader.ts";
import { span } from "../time.ts";
import { Plot, type Line } from "./plot.tsx";

/** A busy factory changes often, and a day's sums only a little. */
const PAUSE_MS = 5000;
const RANGES = [7, 30, 90, 365];
const PALETTE = ["--plot-1", "--plot-2", "--plot-3", "--plot-4", "--plot-5"] as const;

export function PlotsPage({ project }: { project: string | undefined }) {
  const days = useSignal(30);
  const role = useSignal("");
  const stats = useSignal<StatsView | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const read = useMemo(
    () =>
      createReader(async () => {
        const own = role.value === "" ? "" : `&role=${encodeURIComponent(role.value)}`;
        const path = `/v1/stats?days=${days.value}${own}`;
        try {
          stats.value = await get<StatsView>(
            project === undefined ? `${path}&all=true` : inProject(path, project),
          );
          trouble.value = undefined;
        } catch (error) {
          trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
        }
      }, PAUSE_MS),
    [project, days.value, role.value],
  );
  useEffect(read, [reading.value, read]);
  const view = stats.value;
  return (
    <>
      <h1 class="unseen">Plots</h1>
      <Filters days={days} role={role} roles={view?.roles ?? []} />
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      {view === undefined ? <p class="quiet">Reading…</p> : <Plots stats={view} />}
    </>
  );
}

type FiltersProps = { days: Signal<number>; role: Signal<string>; roles: string[] };

const Filters = ({ days, role, roles }: FiltersProps) => (
  <div class="filters">
    <label>
      Range{" "}
      <select
        value={days.value}
        onChange={({ currentTarget }) => (days.value = Number(currentTarget.value))}
      >
        {RANGES.map((range) => (
          <option key={range} value={range}>
            {range} days
          </option>
        ))}
      </select>
    </label>
    <label>
      Role{" "}
      <select
        value={role.value}
        onChange={({ currentTarget }) => (role.value = currentTarget.value)}
      >
        <option value="">all roles</option>
        {roles.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <span class="quiet">
      the same as{" "}
      <code>
        pawl stats --days {days.value}
        {role.value !== "" && ` --role ${role.value}`}
      </code>
    </span>
  </div>
);

function Plots({ stats }: { stats: StatsView }) {
  const { total, days } = stats;
  const times = days.map(({ day }) => Date.parse(day) / 1000);
  const line = (label: string, colour: string, of: (day: Day) => number | null): Line => ({
    label,
    colour,
    kind: "bars",
    values: days.map(of),
  });
  const parts = [
    line("waiting", PALETTE[0], (day) => day.waiting_seconds),
    line("working", PALETTE[1], (day) => day.working_seconds),
    line("CI", PALETTE[2], (day) => day.ci_seconds),
    line("review", PALETTE[3], (day) => day.review_seconds),
    line("queue", PALETTE[4], (day) => day.queue_seconds),
  ];
  const perLanding = days.map((day) => day.ci_runs_per_landing);
  return (
    <div class="plots">
      <Plot
        title="Landed per day"
        words={`${total.landed} landed, ${total.not_landed} did not`}
        times={times}
        lines={[
          line("landed", "--plot-2", (day) => day.landed),
          line("did not land", "--plot-5", (day) => day.not_landed),
        ]}
        unit="count"
        isStacked
      />
      <Plot
        title="From issue to landing"
        words={
          total.lead_seconds === null
            ? "nothing has landed"
            : `median ${time(total.lead_seconds)}, mostly ${longest(total)}`
        }
        times={times}
        lines={parts}
        unit={briefly}
        isStacked
      />
      <Costs stats={stats} times={times} by="role" />
      <Costs stats={stats} times={times} by="model" />
      <Plot
        title="CI runs per landing"
        words={
          total.ci_runs_per_landing === null
            ? `${total.ci_runs} runs, nothing has landed`
            : `${total.ci_runs_per_landing} on average, ${total.ci_runs} runs`
        }
        times={times}
        lines={[{ label: "runs", colour: "--plot-3", kind: "line", values: perLanding }]}
        unit={(value) => String(Math.round(value * 10) / 10)}
      />
      <Load stats={stats} />
      <Failures failures={stats.failures} />
    </div>
  );
}

type Day = StatsView["days"][number];

const time = (seconds: number): string => span(seconds * 1000);

/** As an axis has room for it. */
function briefly(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const [count, unit] = seconds < 5400 ? [seconds / 60, "min"] : [seconds / 3600, "h"];
  return `${Math.round(count * 10) / 10} ${unit}`;
}

function longest(total: StatsView["total"]): string {
  const parts: [string, number][] = [
    ["waiting", total.waiting_seconds],
    ["working", total.working_seconds],
    ["CI", total.ci_seconds],
    ["review", total.review_seconds],
    ["the merge queue", total.queue_seconds],
  ];
  return parts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

type CostsProps = { stats: StatsView; times: number[]; by: "role" | "model" };

function Costs({ stats: { costs, days, total, budgets }, times, by }: CostsProps) {
  const names = [...new Set(costs.map((cost) => cost[by]))].toSorted();
  const shown = names.slice(0, PALETTE.length);
  const lines = shown.map((name, at): Line => ({
    label: name,
    colour: PALETTE[(at + 1) % PALETTE.length] ?? "--plot-1",
    kind: "bars",
    values: days.map(({ day }) =>
      costs
        .filter((cost) => cost.day === day && cost[by] === name)
        .reduce((sum, cost) => sum + cost.cost_usd, 0),
    ),
  }));
  const allowed = budgets
    .filter(({ what }) => what === "day" || (by === "role" && what.startsWith("role ")))
    .flatMap(allowedWords);
  const words = [`$${total.cost_usd.toFixed(2)} in all`, ...allowed].join("; ");
  const highest = Math.max(...days.map(({ cost_usd: usd }) => usd));
  const unit = (usd: number): string => `$${usd < 10 ? usd.toFixed(2) : Math.round(usd)}`;
  const none: Line = { label: "none", colour: "--plot-1", kind: "bars", values: days.map(() => 0) };
  return (
    <Plot
      title={`Cost per day by ${by}`}
      words={words}
      times={times}
      lines={lines.length === 0 ? [none] : lines}
      unit={unit}
      limit={limitOf(budgets, highest)}
      isStacked
    />
  );
}

/** As in "toy: $3.20 of $10 today", "toy, dev: 1,200 of 1,000 tokens today". */
function allowedWords(budget: StatsView["budgets"][number]): string[] {
  const { project, what, usd, usd_max, tokens, tokens_max, estimated_usd: estimated } = budget;
  const of = what === "day" ? project : `${project}, ${what.replace("role ", "")}`;
  return [
    ...(usd_max === null
      ? []
      : [`${of}: $${usd.toFixed(2)} of $${usd_max} today${estimated > 0 ? ", estimated" : ""}`]),
    ...(tokens_max === null
      ? []
      : [`${of}: ${tokens.toLocaleString()} of ${tokens_max.toLocaleString()} tokens today`]),
  ];
}

/** Beside a much higher line the bars would not be seen. */
const LIMIT_FAR = 5;

/** What one day may cost, where one project is shown and its days come near. */
function limitOf(budgets: StatsView["budgets"], highest: number): number | undefined {
  const [first, ...others] = budgets.filter(({ what }) => what === "day");
  const max = first?.usd_max ?? undefined;
  return max === undefined || others.length > 0 || max > highest * LIMIT_FAR ? undefined : max;
}

const Load = ({ stats: { load } }: { stats: StatsView }) => (
  <Plot
    title="Queue length and sessions alive"
    words={`at most ${Math.max(0, ...load.map(({ queue }) => queue))} in the queue and ${Math.max(0, ...load.map(({ sessions }) => sessions))} sessions at once`}
    times={load.map(({ at }) => Date.parse(at) / 1000)}
    lines={[
      { label: "queue", colour: "--plot-5", kind: "steps", values: load.map(({ queue }) => queue) },
      {
        label: "sessions",
        colour: "--plot-2",
        kind: "steps",
        values: load.map(({ sessions }) => sessions),
      },
    ]}
    unit="count"
  />
);

function Failures({ failures }: { failures: StatsView["failures"] }) {
  const most = Math.max(1, ...failures.map(({ count }) => count));
  return (
    <section class="card plot" aria-label="What held work up">
      <h2>What held work up</h2>
      {failures.length === 0 && <p class="quiet">Nothing did.</p>}
      <ul class="bars">
        {failures.map(({ cause, count }) => (
          <li key={cause}>
            <span>{cause}</span>
            <meter min={0} max={most} value={count} aria-label={cause} />
            <b>{count}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
