// `pawl run`: works on the backlog in the foreground and shows what happens.
import type { AgentView } from "../../api/agents.ts";
import type { StatusView } from "../../api/runs.ts";
import type { StartPlanView } from "../../api/start-plan.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { createClient } from "../client.ts";
import type { AddCommand } from "../command.ts";
import { allProjects, oldAll } from "../options.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import type { Foreground } from "../daemon-main.ts";
import { warnOfAgent } from "../output/agent-warning.ts";
import { createHeading, type Heading } from "../output/heading.ts";
import { leavingText, STOPS } from "../output/left-running.ts";
import { runSummary, type RunSummary } from "../output/run-summary.ts";
import { createStory, needsYou } from "../output/story.ts";
import { tellProgress } from "../output/tell-progress.ts";
import { printJson } from "../output/rows.ts";
import { harmless } from "../output/text.ts";
import { inSentences } from "../output/wrap.ts";
import { requireTmux } from "../require-tmux.ts";

export const addRun: AddCommand = (program, { deps, finish }) => {
  program
    .command("run")
    .description("work on this project's backlog in the foreground, and show what happens")
    .option(
      "--until-idle",
      "exit when nothing is left to do (exit 0) or a person must act (exit 8)",
    )
    .option("--dry-run", "start nothing; show what would start, and why the rest waits")
    .option("--json", "with --dry-run: as JSON")
    .addOption(allProjects())
    .addOption(oldAll())
    .addHelpText(
      "after",
      `
Ctrl-C stops Pawl, not the agents: they keep running, and the next \`pawl run\` or \`pawl up\` adopts them.

Examples:
  pawl run                 until Ctrl-C
  pawl run --dry-run       what would start, and what past runs cost
  pawl run --until-idle    overnight: everything that can be done, then exit`,
    )
    .action(async (options, command) => {
      if (options.dryRun === true) return showStartPlan(deps(), options);
      const { project } = command.optsWithGlobals() as { project?: string };
      finish(await run(deps(), { ...options, project }));
    });
};

export async function run(
  own: Deps,
  options: { untilIdle?: true | undefined; all?: true | undefined; project?: string | undefined },
): Promise<ExitCode> {
  await requireTmux();
  if (await own.client.daemonRuns()) throw await alreadyWorks(own);
  using summary = runSummary(own);
  const { deps } = summary;
  const { startForeground } = await import("../daemon-main.ts");
  using told = new DisposableStack();
  const heading = createHeading(deps, options);
  const foreground = await startForeground({
    onLeft: async (only) => deps.stderr(`${await leaving(own, only)}\n`),
    onOpened: (opened) =>
      told.use(tellProgress(deps, opened, { onFirst: (status) => heading(status) })),
    env: deps.env,
    version: deps.version,
    folder: options.all === true ? undefined : deps.cwd,
    project: options.project,
    untilIdle: options.untilIdle,
  });
  try {
    return await work(summary, foreground, { ...options, heading });
  } finally {
    await foreground.close();
  }
}

type Ping = { daemon: { pid: number; foreground?: true } | null };

async function alreadyWorks({ client }: Deps): Promise<OperationError> {
  const { daemon } = await client.get<Ping>("/v1/ping");
  const isRun = daemon?.foreground === true;
  const who = isRun
    ? `a \`pawl run\` in another terminal (pid ${daemon.pid}) already works on your projects`
    : "the daemon already works on your projects in the background";
  const how = isRun ? "with Ctrl-C there, or with `pawl down`" : "with `pawl down`";
  return new OperationError(who, {
    code: "daemon-running",
    hint: `watch it with \`pawl top\`; to work in this terminal instead, end it first ${how}`,
  });
}

async function work(
  summary: RunSummary,
  foreground: Foreground,
  options: { untilIdle?: true | undefined; all?: true | undefined; heading: Heading },
): Promise<ExitCode> {
  const { deps } = summary;
  const before = await begin(foreground, options);
  if (before === undefined) return endedByDown(deps, foreground, options);
  await options.heading(before, foreground.project);
  for (const { name } of before.projects) warnMeanwhile(deps, name);
  const story = createStory(deps, foreground);
  summary.follow(foreground);
  if (options.untilIdle !== true) {
    await foreground.ended;
    return endedByDown(deps, foreground, options);
  }
  const status = await Promise.race([story.untilIdle(), foreground.ended]);
  if (status === undefined) return endedByDown(deps, foreground, options);
  deps.stderr(`${summary.text(status)}\n`);
  const waiting = needsYou(status, deps.now());
  for (const line of waiting) deps.stderr(`${line}\n`);
  const over = new Set(foreground.first.runs.filter(({ outcome }) => outcome !== null).map(nameOf));
  const hasWorked = status.runs.some((run) => !over.has(nameOf(run)));
  for (const { no_work: why } of hasWorked || waiting.length > 0 ? [] : status.projects) {
    if (typeof why === "string") deps.stderr(`nothing to do: ${harmless(why)}\n`);
  }
  return waiting.length === 0 ? EXIT.ok : EXIT.pending;
}

/** From another terminal; Ctrl-C ends the process itself. */
async function endedByDown(
  deps: Deps,
  { project }: Foreground,
  { untilIdle }: { untilIdle?: true | undefined },
): Promise<ExitCode> {
  const early = untilIdle === true ? " before its work was done" : "";
  deps.stderr(`${await leaving(deps, project, `\`pawl down\` ended Pawl${early}`)}\n`);
  return untilIdle === true ? EXIT.failed : EXIT.ok;
}

/** Undefined where it was ended meanwhile. */
async function begin(
  foreground: Foreground,
  options: { all?: true | undefined },
): Promise<StatusView | undefined> {
  try {
    if (options.all !== true) await mustLook(foreground);
    return await foreground.status();
  } catch (error) {
    if (!foreground.isEnding()) throw error;
    await foreground.ended;
    return undefined;
  }
}

/** The agent's program takes a second to answer: work begins at once. What fails here, the doctor says. */
function warnMeanwhile(deps: Deps, project: string): void {
  const { env, cwd, version } = deps;
  const client = createClient({ env, cwd, version, project: undefined });
  warnOfAgent(deps, project, client).catch(() => undefined);
}

const nameOf = ({ project, run }: StatusView["runs"][number]): string => `${project}/${run}`;

/**
 * What keeps this one project from being worked on at all is said at once. A forge that fails while
 * work is under way is waited for, like any later outage.
 */
async function mustLook(foreground: Foreground): Promise<void> {
  try {
    await foreground.look();
  } catch (error) {
    if ((await foreground.status()).idle) throw error;
  }
}

/** Asked of the journal: until its end, Pawl may have been starting an agent. */
async function leaving(
  { client }: Deps,
  project: string | undefined,
  what: string = STOPS,
): Promise<string> {
  try {
    const agents = await client.get<AgentView[]>("/v1/agents");
    const own = agents.filter((one) => project === undefined || one.project === project);
    return leavingText(own, what);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return `${what}; agents that were running keep running. \`pawl run\` continues.`;
  }
}

async function showStartPlan(own: Deps, options: { json?: true | undefined }): Promise<void> {
  const plan = await own.client.get<StartPlanView>("/v1/start-plan");
  if (options.json === true) {
    printJson(own, plan);
    return;
  }
  const deps = inSentences(own);
  const starts = plan.issues.filter((issue) => issue.starts);
  const waiting = plan.issues.filter((issue) => !issue.starts);
  const line = ({ issue, title, why }: StartPlanView["issues"][number]): string =>
    `  #${issue} ${harmless(title)}: ${harmless(why)}\n`;
  deps.stdout(`${plan.project}: ${starts.length} would start now\n`);
  for (const term of plan.terms) deps.stdout(`  ${harmless(term)}\n`);
  if (plan.first !== null) deps.stdout(`first: ${harmless(plan.first)}\n`);
  deps.stdout(`starts:\n${starts.map(line).join("") || "  nothing\n"}`);
  if (waiting.length > 0) deps.stdout(`waits:\n${waiting.map(line).join("")}`);
  deps.stdout(`estimate: ${estimateText(plan, starts.length)}\n`);
}

function estimateText({ estimate }: StartPlanView, starts: number): string {
  if (estimate === null) return "no usage recorded for past runs";
  const { runs, usd_each: usd, tokens_each: tokens } = estimate;
  const each = `$${usd.toFixed(2)} and ${tokens.toLocaleString("en-US")} tokens`;
  const past = runs === 1 ? "in 1 past run" : `each, on average over ${runs} past runs`;
  const these = starts === 1 ? "this one" : `these ${starts}`;
  const sum = starts === 0 ? "" : `; about $${(usd * starts).toFixed(2)} for ${these}`;
  return `${each} ${past}${sum}`;
}
