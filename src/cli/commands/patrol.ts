// `pawl patrol status|run|restart|pending`: periodic health checks (deacon and witness).
import type { PatrolView, PendingView } from "../../api/patrols.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { allProjects, usage, oldAll } from "../options.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl patrol status
  pawl patrol run deacon
  pawl patrol pending
  pawl patrol restart deacon     resets its counts and starts a round
  pawl patrol restart observer   restarts a watched part of the project`;

const patrolNames = ["deacon", "witness"] as const;
const restartNames = [...patrolNames, "observer", "merge-queue", "sessions", "outbox"] as const;

type Json = { json?: true | undefined };

export const addPatrol: AddCommand = (program, { deps }) => {
  const patrol = program
    .command("patrol")
    .description("show and start periodic health checks (deacon and witness)")
    .addHelpText("after", EXAMPLES);
  patrol
    .command("status")
    .description("show the last round of each patrol and the health of the parts it watches")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((options) => showStatus(deps(), options));
  patrol
    .command("run")
    .description("start a round of a patrol now")
    .argument("[name]", "deacon or witness", "deacon")
    .option("--json", "print JSON with all fields")
    .action((name, options) => act(deps(), { name, verb: "run" }, options));
  patrol
    .command("restart")
    .description("reset a patrol's counts and start a round, or restart a watched part")
    .argument("[name]", restartNames.join(", "), "deacon")
    .option("--json", "print JSON with all fields")
    .action((name, options) => act(deps(), { name, verb: "restart" }, options));
  patrol
    .command("pending")
    .description("list sessions that started but do not work yet")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "as JSON, with what their terminals show")
    .action((options) => showPending(deps(), options));
};

async function showStatus(deps: Deps, options: Json & { all?: true | undefined }): Promise<void> {
  const patrols = await deps.client.get<PatrolView[]>(pathOf("/v1/patrols", options));
  if (options.json === true) {
    printJson(deps, patrols);
    return;
  }
  printPatrols(deps, patrols);
}

const pathOf = (path: string, { all }: { all?: true | undefined }): string =>
  all === true ? `${path}?all=true` : path;

type Line = { patrol: PatrolView; part: string; at: string | null; note: string };

function printPatrols(deps: Deps, patrols: PatrolView[]): void {
  const lines = patrols.flatMap((patrol): Line[] => [
    {
      patrol,
      part: "last round",
      at: patrol.last_activity,
      note: patrol.enabled ? `${patrol.rounds} since the daemon started` : "switched off",
    },
    ...patrol.steps.map(({ id, at, note }) => ({ patrol, part: id, at, note })),
    ...patrol.health.map(
      ({ component, unresponsive_cycles: cycles, detail, last_seen_healthy }) => ({
        patrol,
        part: `health of ${component}`,
        at: last_seen_healthy,
        note: cycles === 0 ? "healthy" : `unresponsive for ${cycles} rounds: ${detail}`,
      }),
    ),
    ...judged(patrol),
    ...patrol.orphans.map(({ since, what, settled }) => ({
      patrol,
      part: "orphan",
      at: since,
      note: settled ?? what,
    })),
  ]);
  printRows(deps, lines, { columns: columns(deps), json: undefined, empty: "no project yet" });
}

/** What a model was asked about, with its reason. */
const judged = (patrol: PatrolView): Line[] => [
  ...(patrol.triage?.open ?? []).map(({ letter, subject, until }) => ({
    patrol,
    part: "triage",
    at: until,
    note: `mail ${letter} (${subject}) is being judged`,
  })),
  ...(patrol.triage?.log ?? []).map(({ at, letter, subject, decision, reason }) => ({
    patrol,
    part: "triage",
    at,
    note: `mail ${letter} (${subject}): ${decision}: ${reason}`,
  })),
];

const columns = (deps: Deps): Column<Line>[] => [
  { title: "project", tty: ({ patrol }) => patrol.project },
  { title: "patrol", tty: ({ patrol }) => patrol.patrol },
  { title: "step", tty: ({ part }) => part },
  {
    title: "at",
    tty: ({ at }) => (at === null ? "–" : when(deps, at)),
    pipe: ({ at }) => at ?? "",
  },
  { title: "what", tty: ({ note }) => harmless(note), pipe: ({ note }) => note, widthMin: 20 },
];

async function act(
  deps: Deps,
  { name, verb }: { name: string; verb: "run" | "restart" },
  options: Json,
): Promise<void> {
  const names: readonly string[] = verb === "run" ? patrolNames : restartNames;
  if (!names.includes(name)) {
    throw usage(`there is no patrol or part "${name}" to ${verb}`, `one of: ${names.join(", ")}`);
  }
  const view = await deps.client.post<PatrolView>(`/v1/patrols/${name}/${verb}`, { by: deps.user });
  if (options.json === true) printJson(deps, view);
  else printPatrols(deps, [view]);
}

async function showPending(deps: Deps, options: Json & { all?: true | undefined }): Promise<void> {
  const pending = await deps.client.get<PendingView[]>(pathOf("/v1/patrols/pending", options));
  const pendingColumns: Column<PendingView>[] = [
    { title: "session", tty: ({ identity }) => identity },
    { title: "epoch", tty: ({ epoch }) => String(epoch) },
    {
      title: "since",
      tty: ({ since_s }) => `${since_s} s`,
      pipe: ({ since_s }) => String(since_s),
    },
    { title: "prompt", tty: ({ ready }) => (ready ? "ready" : "not seen") },
    { title: "project", tty: ({ project }) => project },
  ];
  const empty = "every session has started to work";
  printRows(deps, pending, { columns: pendingColumns, json: options.json, empty });
}
