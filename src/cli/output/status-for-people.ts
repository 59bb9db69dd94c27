// The status of a factory as a person reads it: what needs them comes with the command that
// answers it, and where there is nothing to see, the next step is named.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StatusView } from "../../api/runs.ts";
import { spanText } from "../../api/spans.ts";
import type { Deps } from "../deps.ts";
import { textWidth } from "../../lib/text-width.ts";
import { entryName, plainReason } from "../../api/queue-names.ts";
import { waitCommands, waitReason } from "./wait-words.ts";
import { isRestarting } from "./restarting.ts";
import { cutAfterWord, cutBeforePart, layTable, type TableColumn } from "./table.ts";
import { harmless, paint, when } from "./text.ts";
import { wrapLines } from "./wrap.ts";
import { shownRef } from "./shown-ref.ts";

type Project = StatusView["projects"][number];

/** `isPathWhole`: a long path can be copied; a screen of fixed size breaks it. */
export function statusForPeople(
  deps: Deps,
  status: StatusView,
  { isPathWhole = false } = {},
): string {
  const lines = [daemonLine(deps, status)];
  if (status.projects.length === 0) lines.push("", ...nothingYet());
  for (const project of status.projects) lines.push("", ...projectLines(deps, status, project));
  lines.push(...elsewhereLines(deps, status), ...strangeFolder(deps, status));
  return wrapLines(`${lines.join("\n")}\n`, deps.columns, { isPathWhole });
}

function daemonLine(deps: Deps, { daemon, version }: StatusView): string {
  const name = `pawl ${version}`;
  if (daemon === null) {
    const what = isRestarting(deps)
      ? "the daemon died and is being started again"
      : "no daemon runs";
    return `${name}: ${paint(deps, "yellow", what)}`;
  }
  const span = spanText(Math.max(0, deps.now() - Date.parse(daemon.since)));
  const other = daemon.version === version ? "" : `, version ${daemon.version}`;
  return `${name}: ${paint(deps, "green", "running")} for ${span} (pid ${daemon.pid}${other})`;
}

function elsewhereLines(deps: Deps, { elsewhere = [] }: StatusView): string[] {
  if (elsewhere.length === 0) return [];
  const projects = elsewhere.map(({ project, needs_you: needs }) => `${project} (${needs})`);
  const what = paint(deps, "yellow", `other projects need you: ${projects.join(", ")}`);
  return ["", what, `  ${paint(deps, "cyan", "pawl status --all-projects")}`];
}

/** Neither for a person nor for another entry. */
const isQueued = ({ status }: StatusView["queue"][number]): boolean =>
  !["waiting", "held"].includes(status);

const isElsewhere = (deps: Deps, status: StatusView): boolean =>
  repositoryRoot(deps.cwd) !== undefined && !isInProject(deps, status);

/** A repository that is none of the projects: what is shown is about others. */
function strangeFolder(deps: Deps, status: StatusView): string[] {
  if (status.projects.length === 0 || !isElsewhere(deps, status)) return [];
  const root = repositoryRoot(deps.cwd) ?? deps.cwd;
  const command = paint(deps, "cyan", "pawl init");
  return ["", `${root} is not a project yet: ${command} sets it up`];
}

const isInProject = ({ cwd }: Deps, { projects }: StatusView): boolean =>
  projects.some(({ root }) => cwd === root || cwd.startsWith(`${root}/`));

function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

const nothingYet = (): string[] => [
  "no project yet",
  "  pawl init    set up the repository you are in",
  "  pawl demo    see it work, in a scratch repository",
];

function projectLines(deps: Deps, status: StatusView, project: Project): string[] {
  const own = <T extends { project: string }>(all: readonly T[]): T[] =>
    all.filter((one) => one.project === project.name);
  const runs = own(status.runs).filter((run) => run.outcome === null);
  const queue = own(status.queue);
  const waits = own(status.waits);
  const landed = own(status.landed);
  return [
    `${paint(deps, "bold", project.name)}  ${paint(deps, "dim", placeText(deps, project))}`,
    ...section(deps, "forge", forgeTrouble(project)),
    ...section(deps, "under way", (project.progress ?? []).map(harmless)),
    ...section(deps, "runs", runTable(deps, runs)),
    ...section(deps, "merge queue", queueTable(deps, { ...status, queue })),
    ...section(
      deps,
      "needs you",
      waits.flatMap((wait) => waitLines(deps, wait)),
    ),
    ...section(deps, "landed", landedTable(deps, landed, own(status.runs))),
    "",
    ...backlogLines(deps, {
      status,
      project,
      isOpen: runs.length + queue.length > 0,
      goesOn: runs.some(({ needs_you: asks }) => asks === null) || queue.some(isQueued),
    }),
  ];
}

/** A path takes half of the line at most: its end says which one it is. */
const placeText = (deps: Deps, { root: path, target, parallel, forge }: Project): string => {
  const root = cutBeforePart(path, Math.floor(deps.columns / 2));
  const noticed = forge?.source === "webhook" ? "webhook" : "polling";
  const from = forge === undefined || forge === null ? "" : `, ${forge.kind} by ${noticed}`;
  return target === null ? root : `${root} → ${target}, ${parallel ?? 1} at once${from}`;
};

const forgeTrouble = ({ forge }: Project): string[] =>
  typeof forge?.trouble === "string" ? [`polling: ${harmless(forge.trouble)}`] : [];

const section = (deps: Deps, title: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : ["", paint(deps, "bold", title), ...lines.map((line) => `  ${line}`)];

/** Two columns are taken by the indent. */
const table = (deps: Deps, columns: readonly TableColumn[], rows: string[][]): string[] =>
  rows.length === 0
    ? []
    : layTable(columns, rows, deps.columns - 2)
        .text.trimEnd()
        .split("\n");

function runTable(deps: Deps, runs: StatusView["runs"]): string[] {
  const columns = [
    { title: "issue" },
    { title: "title", widthMin: 16 },
    { title: "doing", widthMin: 20 },
    { title: "agent" },
    { title: "since" },
  ];
  const rows = runs.map((run) => [
    shownRef(run),
    harmless(run.title),
    // What it asks stands in full below.
    run.needs_you === null ? harmless(run.doing) : paint(deps, "yellow", "waiting for you"),
    run.alive ? paint(deps, "green", "alive") : paint(deps, "dim", "–"),
    when(deps, run.doing_since ?? run.requested_at),
  ]);
  return table(deps, columns, rows);
}

function queueTable(deps: Deps, { queue, daemon }: Pick<StatusView, "queue" | "daemon">): string[] {
  const isAtWork = daemon !== null;
  const columns = [
    { title: "entry", align: "right" as const },
    { title: "branch", widthMin: 16 },
    { title: "status" },
    { title: "reason", widthMin: 16 },
  ];
  const rows = queue.map((entry) => {
    const { reason } = entry as { reason?: unknown };
    const why = typeof reason === "string" ? harmless(plainReason(reason, { isAtWork })) : "";
    return [entryName(entry.id), entry.branch, entry.status, why];
  });
  return table(deps, columns, rows);
}

function waitLines(deps: Deps, wait: StatusView["waits"][number]): string[] {
  const why = harmless(waitReason(wait, deps.now()));
  const about = `${paint(deps, "yellow", harmless(wait.about))}: ${why}`;
  const commands = waitCommands(wait);
  return [...about.split("\n"), ...commands.map((command) => `  ${paint(deps, "cyan", command)}`)];
}

/** By issue and title, as far as the run is still known; a branch of a person has only its name. */
function landedTable(deps: Deps, landed: StatusView["landed"], runs: StatusView["runs"]): string[] {
  const names = landed.map(({ branch }) => {
    const run = runs.find((one) => one.branch === branch && one.outcome === "landed");
    return run === undefined ? branch : `${shownRef(run)} ${harmless(run.title)}`;
  });
  const times = landed.map(({ at }) => when(deps, at));
  const widthMax = Math.max(1, deps.columns - 4 - Math.max(0, ...times.map(textWidth)));
  const widest = Math.min(widthMax, Math.max(0, ...names.map(textWidth)));
  return names.map((whole, index) => {
    const name = cutAfterWord(whole, widest);
    const room = " ".repeat(Math.max(0, widest - textWidth(name)));
    return `${name}${room}  ${paint(deps, "dim", times[index] ?? "")}`;
  });
}

function backlogLines(
  deps: Deps,
  {
    status,
    project,
    isOpen,
    goesOn,
  }: { status: StatusView; project: Project; isOpen: boolean; goesOn: boolean },
): string[] {
  const { ready, waiting, blocked } = project.backlog;
  const parts = [
    ...(ready > 0 ? [`${ready} ready`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for others`] : []),
    ...(blocked > 0 ? [`${blocked} blocked (pawl issue list --label blocked)`] : []),
  ];
  const backlog = `backlog: ${parts.length === 0 ? "empty" : parts.join(", ")}`;
  // What waits for a person alone, no daemon continues.
  if ((ready > 0 || goesOn) && status.daemon === null && !isRestarting(deps)) {
    const does = ready > 0 ? "works on it" : "continues the work";
    const run = paint(
      deps,
      "cyan",
      isElsewhere(deps, status) ? `pawl --project ${project.name} run` : "pawl run",
    );
    return [backlog, `${run} ${does} here, ${paint(deps, "cyan", "pawl up")} in the background`];
  }
  if (ready > 0 || isOpen || parts.length > 0) return [backlog];
  return [backlog, `${paint(deps, "cyan", 'pawl issue add --title "…"')} adds an issue`];
}
