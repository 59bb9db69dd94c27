// The rest of the factory: formulas, gates, schedules, patrols, mail, plugins, roles and the doctor.
import type { FormulaRunView } from "../../api/formulas.ts";
import type { PatrolView } from "../../api/patrols.ts";
import type { PluginView } from "../../api/plugins.ts";
import type { RoleRoundView } from "../../api/roles.ts";
import type { StatusView } from "../../api/runs.ts";
import type { ScheduleView } from "../../api/schedules.ts";
import { useAct } from "../act.ts";
import { inProject, part } from "../api.ts";
import { projectWords } from "../links.ts";
import { Ago, Until } from "../now.tsx";
import { Trouble } from "../trouble.tsx";
import { useRead } from "../use-read.ts";
import { Doctor } from "./doctor.tsx";
import { FormulaGraph } from "./formula-graph.tsx";
import { Gates } from "./gates.tsx";
import { Mail } from "./mail.tsx";
import { Part, PAUSE_MS, unread, useFirstRead } from "./part.tsx";

const RUNS_SHOWN = 10;
const ROUNDS_SHOWN = 10;

type Props = { projects: StatusView["projects"]; project: string | undefined };

export function FactoryPage({ projects, project }: Props) {
  const scoped = (path: string): string =>
    project === undefined ? `${path}?all=true` : inProject(path, project);
  return (
    <>
      <h1 class="unseen">Factory</h1>
      {unread.value > 0 && <p class="quiet">Reading…</p>}
      <div class={unread.value > 0 ? "ahead-of-time" : ""}>
        {projects.map(({ name }) => (
          <Formulas key={name} project={name} />
        ))}
        <div class="parts">
          {projects.map(({ name }) => (
            <Gates key={name} project={name} />
          ))}
          <Schedules path={scoped("/v1/schedules")} />
          <Patrols path={scoped("/v1/patrols")} />
          <Mail path={scoped("/v1/mail")} />
          <Plugins path={scoped("/v1/plugins")} />
          <Roles path={scoped("/v1/roles/log")} />
          <Doctor />
        </div>
      </div>
    </>
  );
}

function Formulas({ project }: { project: string }) {
  const read = useRead<FormulaRunView[]>(inProject("/v1/formulas/runs", project), PAUSE_MS);
  useFirstRead(read);
  const runs = (read.value.value ?? [])
    .toSorted((a, b) => b.requested_at.localeCompare(a.requested_at))
    .slice(0, RUNS_SHOWN);
  if (runs.length === 0) return null;
  return (
    <section aria-label={`Formulas of ${project}`}>
      <h2>{["Formulas", ...projectWords(project)].join(" of ")}</h2>
      <div class="formulas">
        {runs.map((run) => (
          <article class="card" key={run.id}>
            <h3>
              {run.formula} <span class={`chip ${STATE_CLASS[run.state]}`}>{run.state}</span>
            </h3>
            {run.reason !== null && <p>{run.reason}</p>}
            <FormulaGraph run={run} />
            <p class="meta">
              {run.id} · by {run.by} · <Ago at={run.requested_at} />
            </p>
          </article>
        ))}
      </div>
    </section>
  );
}

const STATE_CLASS = {
  running: "busy",
  waiting: "warn",
  done: "good",
  failed: "bad",
  stopped: "",
} as const;

const Schedules = ({ path }: { path: string }) => (
  <Part<ScheduleView>
    title="Schedules"
    path={path}
    none="pawl.toml has no schedule."
    keyOf={({ project, name }) => `${project} ${name}`}
    row={(one) => <Schedule one={one} />}
  />
);

function Schedule({ one }: { one: ScheduleView }) {
  const doing = useAct({ again: true });
  const path = inProject(`/v1/schedules/${part(one.name)}/run`, one.project);
  return (
    <>
      <strong>{one.name}</strong> {one.work}{" "}
      {one.running_since !== null && <span class="chip busy">running</span>}
      {!one.enabled && <span class="chip">off</span>}
      <p class="meta">
        {[...projectWords(one.project), one.when].join(" · ")}
        {one.next !== null && (
          <>
            {" · next "}
            <Until at={one.next} />: {new Date(one.next).toLocaleString()}
          </>
        )}
        {one.last_at !== null && (
          <>
            {" · last "}
            <Ago at={one.last_at} />: {one.last_result ?? "under way"}
          </>
        )}
      </p>
      <button
        type="button"
        disabled={doing.isSent}
        aria-label={`Run now: ${one.name}`}
        onClick={() => doing.send(path, {})}
      >
        Run now
      </button>
      <Trouble of={doing} />
    </>
  );
}

const Patrols = ({ path }: { path: string }) => (
  <Part<PatrolView>
    title="Patrols"
    path={path}
    none="No project has patrols."
    keyOf={({ project, patrol }) => `${project} ${patrol}`}
    row={(one) => (
      <>
        <strong>{one.patrol}</strong> {!one.enabled && <span class="chip">off</span>}
        {isWell(one) && <span class="chip good">all well</span>}
        {one.health
          .filter(({ unresponsive_cycles: cycles }) => cycles > 0)
          .map(({ component, detail, unresponsive_cycles: cycles }) => (
            <span class="chip bad" key={component}>
              {component}: silent for {cycles} rounds {detail}
            </span>
          ))}
        {one.orphans
          .filter(({ settled }) => settled === null)
          .map(({ key, what }) => (
            <span class="chip warn" key={key}>
              {what}
            </span>
          ))}
        <p class="meta">
          {[
            ...projectWords(one.project),
            one.rounds === 0 ? "no round yet" : times(one.rounds, "round"),
          ].join(" · ")}
          {one.last_activity !== null && (
            <>
              {", the last "}
              <Ago at={one.last_activity} />
            </>
          )}
          {one.health.length > 0 &&
            ` · watches ${one.health.map(({ component }) => component).join(", ")}`}
        </p>
      </>
    )}
  />
);

/** Of the parts that it watches, all answered in its last round. */
const isWell = ({ health }: PatrolView): boolean =>
  health.length > 0 && health.every(({ unresponsive_cycles: cycles }) => cycles === 0);

const times = (count: number, what: string): string =>
  `${count} ${count === 1 ? what : `${what}s`}`;

const Plugins = ({ path }: { path: string }) => (
  <Part<PluginView>
    title="Plugins"
    path={path}
    none="No plugin is installed."
    keyOf={({ project, plugin }) => `${project} ${plugin}`}
    row={(one) => (
      <>
        <strong>{one.plugin}</strong> {one.description}{" "}
        {one.running && <span class="chip busy">running</span>}
        {one.problem !== null && <span class="chip bad">{one.problem}</span>}
        <p class="meta">
          {[...projectWords(one.project), one.gate, times(one.runs, "run")].join(" · ")}
          {one.last_end !== null && (
            <>
              {", the last "}
              <Ago at={one.last_end} />
            </>
          )}
        </p>
      </>
    )}
  />
);

const Roles = ({ path }: { path: string }) => (
  <Part<RoleRoundView>
    title="Roles"
    path={path}
    none="No role has made a round yet."
    keyOf={({ project, role, at }) => `${project} ${role} ${at}`}
    last={ROUNDS_SHOWN}
    row={(round) => (
      <>
        <strong>{round.role}</strong>{" "}
        <span class="meta">
          {projectWords(round.project).map((name) => `${name} · `)}
          <Ago at={round.at} />
        </span>
        {round.done.length === 0 ? <p>did nothing</p> : <Lines title="did" lines={round.done} />}
        <Lines title="because" lines={round.found} />
        <Lines title="left out" lines={round.left} />
      </>
    )}
  />
);

const Lines = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length === 0 ? null : (
    <p>
      {title}: {lines.join("; ")}
    </p>
  );
