// `pawl schedule list|run`: what the project does by itself, and when.
import type { ScheduleView } from "../../api/schedules.ts";
import { withSpans } from "../../api/spans.ts";
import type { AddCommand } from "../command.ts";
import { allProjects, oldAll } from "../options.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";
import { noteWhoActs } from "../output/who-acts.ts";

const EXAMPLES = `
Examples:
  pawl schedule list
  pawl schedule run nightly       now, at any hour`;

export const addSchedule: AddCommand = (program, { deps }) => {
  const schedule = program
    .command("schedule")
    .description("list and start schedules")
    .addHelpText("after", EXAMPLES);
  schedule
    .command("list")
    .description("list schedules with their next start and last result")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((options) => list(deps(), options));
  schedule
    .command("run")
    .description("start a schedule now, unless it is running")
    .argument("<name>", "its name in pawl.toml")
    .action((name) => runNow(deps(), name));
};

async function list(
  deps: Deps,
  options: { all?: true | undefined; json?: true | undefined },
): Promise<void> {
  const path = options.all === true ? "/v1/schedules?all=true" : "/v1/schedules";
  const schedules = await deps.client.get<ScheduleView[]>(path);
  const empty = "no schedules; write [schedule.NAME] in pawl.toml";
  printRows(deps, schedules, { columns: columns(deps), json: options.json, empty });
}

const columns = (deps: Deps): Column<ScheduleView>[] => [
  { title: "schedule", tty: ({ name }) => name },
  { title: "when", tty: (one) => withSpans(one.when), pipe: (one) => one.when },
  { title: "starts", tty: ({ work }) => work },
  {
    title: "next",
    tty: ({ next, enabled }) => (enabled ? (next === null ? "–" : when(deps, next)) : "off"),
    pipe: ({ next, enabled }) => (enabled ? (next ?? "") : "off"),
  },
  { title: "last", tty: lastText, pipe: ({ last_result: result }) => result ?? "" },
  { title: "note", tty: ({ note }) => harmless(note), pipe: ({ note }) => note, widthMin: 15 },
  { title: "project", tty: ({ project }) => project },
];

const lastText = ({ running_since: running, last_result: result }: ScheduleView): string =>
  running === null ? (result ?? "never") : "under way";

async function runNow(deps: Deps, name: string): Promise<void> {
  const path = `/v1/schedules/${encodeURIComponent(name)}/run`;
  const one = await deps.client.post<ScheduleView>(path, { by: deps.user });
  deps.stderr(`${one.name}: ${lastText(one)}\n`);
  await noteWhoActs(deps);
}
