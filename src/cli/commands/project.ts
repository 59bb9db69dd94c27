// `pawl project list|remove`: which repositories this factory knows, and forgetting one of them.
import { tmpdir } from "node:os";
import { rmSync } from "node:fs";
import type { RemovalView } from "../../api/removal.ts";
import type { StatusView } from "../../api/runs.ts";
import { pawlHome, runtimeFolder } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { linksInto } from "../links-into.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless } from "../output/text.ts";
import { whileWorking } from "../output/while-working.ts";
import { wrapped } from "../output/wrap.ts";

const EXAMPLES = `
Examples:
  pawl project list
  pawl project list --json
  pawl project remove toy           shows what would be removed
  pawl project remove toy --yes     removes it

Stop the daemon and the agents of that project first. Pawl keeps work that has not landed, and the
command prints where. Your repository, its pawl.toml and landed work stay as they are.`;

export const addProject: AddCommand = (program, { deps }) => {
  const project = program
    .command("project")
    .description("list and remove the projects of this factory")
    .addHelpText("after", EXAMPLES);
  project
    .command("list")
    .description("list every project with its repository and its target")
    .option("--json", "print JSON with all fields")
    .action((options) => listProjects(deps(), options));
  project
    .command("remove")
    .description("forget a project; without --yes, show what would be removed")
    .argument("<name>", "its name from `pawl project list`")
    .option("--yes", "remove it; without this, only show it")
    .option("--json", "print JSON")
    .action((name, options) => removeProject(deps(), { ...options, name }));
};

type Project = StatusView["projects"][number];

async function listProjects(deps: Deps, { json }: { json?: true | undefined }): Promise<void> {
  const { projects } = await deps.client.get<StatusView>("/v1/status?all=true");
  printRows(deps, projects, {
    columns,
    json,
    empty: "no project yet; `pawl init` adds this folder",
  });
}

const columns: Column<Project>[] = [
  { title: "project", tty: ({ name }) => name },
  { title: "target", tty: ({ target }) => target ?? "" },
  { title: "at once", tty: ({ parallel }) => String(parallel ?? ""), align: "right" },
  { title: "repository", tty: ({ root }) => harmless(root), widthMin: 20, cut: "left" },
];

type RemoveOptions = { name: string; yes?: true | undefined; json?: true | undefined };

async function removeProject(deps: Deps, { name, yes, json }: RemoveOptions): Promise<void> {
  const isDone = yes === true;
  const hasDaemon = await deps.client.daemonRuns();
  if (isDone && hasDaemon) throw daemonRuns(name);
  const { projectRemoval } = await import("../in-process.ts");
  const home = pawlHome(deps.env);
  const place = { home, runtime: runtimeFolder(deps.env, home), version: deps.version };
  const view = await whileWorking(deps, { what: `looking at ${name}` }, () =>
    projectRemoval(place, { project: name, isDone }),
  );
  if (isDone) removeLinks(view);
  if (json === true) return printJson(deps, view);
  deps.stdout(wrapped(deps, removalText(view)));
  if (!isDone) deps.stderr(`${nextStep(view, hasDaemon)}\n`);
}

/** The phase files of its sessions had links there. */
function removeLinks({ paths }: RemovalView): void {
  for (const folder of new Set([tmpdir(), "/tmp"])) {
    for (const path of paths) for (const link of linksInto(folder, path)) rmSync(link);
  }
}

function removalText(view: RemovalView): string {
  const [removes, loses, keeps] = view.removed
    ? ["removed", "lost", "kept"]
    : ["would remove", "would lose", "would keep"];
  const isNone = view.unlanded.length === 0;
  const nothing = view.restored === null ? " (checkpoints without a changed file)" : "";
  const work = isNone ? nothing : ` (not landed: ${view.unlanded.join(", ")})`;
  const lines = [
    ...view.paths.map((path) => `${removes} ${path}`),
    ...view.lost.map((what) => `${loses} ${what}`),
    ...(view.kept === null ? [] : [`${keeps} ${view.kept}${work}`]),
    ...(view.root === null ? [] : [`${keeps} ${view.root}, your repository`]),
  ];
  return `${lines.join("\n")}\n`;
}

function nextStep({ project, agents }: RemovalView, hasDaemon: boolean): string {
  const remove = `\`pawl project remove ${project} --yes\``;
  const reasons = [
    ...(hasDaemon ? ["the daemon runs"] : []),
    ...(agents.length > 0 ? [`still at work: ${agents.join(", ")}`] : []),
  ];
  if (reasons.length === 0) return `nothing was removed yet: run ${remove} to remove it`;
  const help = [
    ...(agents.length > 0
      ? ["end its agents with `pawl stop N`, or all agents with `pawl down --kill-agents`"]
      : []),
    ...(hasDaemon ? ["`pawl down` stops the daemon and leaves agents running"] : []),
  ];
  return [
    `nothing was removed, and --yes would be refused now: ${reasons.join(", ")}`,
    `${help.join("; ")}; then run ${remove}`,
  ].join("\n");
}

const daemonRuns = (name: string): OperationError =>
  new OperationError(`cannot remove project ${name}: the daemon runs`, {
    code: "in-use",
    hint: "`pawl down` stops it and leaves the agents of other projects running; then run this again",
  });
