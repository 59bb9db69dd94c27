// `pawl project list`: which repositories this factory knows.
import type { StatusView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { harmless } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl project list
  pawl project list --json`;

export const addProject: AddCommand = (program, { deps }) => {
  const project = program
    .command("project")
    .description("list the projects of this factory")
    .addHelpText("after", EXAMPLES);
  project
    .command("list")
    .description("every project with its repository and its target")
    .option("--json", "as JSON, with all fields")
    .action((options) => listProjects(deps(), options));
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
