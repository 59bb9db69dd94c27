// `pawl demo`: a scratch repository, a handful of issues, three agents in parallel, a green main.
// Needs no account and no network: the built-in tracker, CI and script agent do the work.
import type { StatusView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { createClient } from "../client.ts";
import type { Foreground } from "../daemon-main.ts";
import { DEMO_ISSUES, makeDemoRepository, type DemoPlace } from "../demo-repository.ts";
import { launcher } from "../launcher.ts";
import { createStory } from "../output/story.ts";
import { paint } from "../output/text.ts";
import { requireTmux } from "../require-tmux.ts";

export const addDemo: AddCommand = (program, { deps, finish }) => {
  program
    .command("demo")
    .description("take a small backlog to a green main, in a scratch repository")
    .option("--json", "print one object at the end")
    .addHelpText("after", "\nExamples:\n  pawl demo\n  pawl demo --json")
    .action(async (options) => finish(await demo(deps(), options.json === true)));
};

async function demo(deps: Deps, json: boolean): Promise<ExitCode> {
  await requireTmux(deps);
  const place = await makeDemoRepository();
  deps.stderr(`${opening(place.folder)}\n\n`);
  const env = { ...deps.env, PAWL_HOME: place.home, HOME: place.userHome };
  const client = createClient({ env, cwd: place.repo, version: deps.version, project: undefined });
  for (const issue of DEMO_ISSUES) {
    await client.post("/v1/issues", { ...issue, key: `demo-${issue.title}`, author: "demo" });
  }
  const started = deps.now();
  const { startForeground } = await import("../daemon-main.ts");
  const foreground = await startForeground({
    env,
    version: deps.version,
    folder: place.repo,
    project: undefined,
  });
  const status = await untilIdle(deps, foreground);
  return report(deps, { status, json, place, ms: deps.now() - started });
}

async function untilIdle(deps: Deps, foreground: Foreground): Promise<StatusView> {
  try {
    return await createStory(deps, foreground).untilIdle();
  } finally {
    await foreground.close();
  }
}

const opening = (folder: string): string =>
  [
    `${DEMO_ISSUES.length} issues, 3 agents at once, a scratch repository in ${folder}.`,
    "The agents need no model and no account: they run the shell blocks of their issues.",
  ].join("\n");

function report(
  deps: Deps,
  end: { status: StatusView; json: boolean; place: DemoPlace; ms: number },
): ExitCode {
  const { runs } = end.status;
  const count = (outcome: string): number => runs.filter((run) => run.outcome === outcome).length;
  const result = {
    issues: DEMO_ISSUES.length,
    landed: count("landed"),
    blocked: count("blocked"),
    escalated: runs.filter((run) => run.needs_you !== null).length,
    seconds: Math.round(end.ms / 100) / 10,
    repo: end.place.repo,
  };
  if (end.json) deps.stdout(`${JSON.stringify(result)}\n`);
  else deps.stdout(summary(deps, { ...result, place: end.place }));
  return result.landed === result.issues ? EXIT.ok : EXIT.failed;
}

/** Every line that is indented works as it stands, from any folder. */
function summary(
  deps: Deps,
  result: { issues: number; landed: number; seconds: number; place: DemoPlace },
): string {
  const { issues, landed, seconds, place } = result;
  const isDone = landed === issues;
  const first = `${landed} of ${issues} issues landed on a green main in ${seconds} s.`;
  const list = (title: string, commands: string[]): string[] => [
    "",
    title,
    ...commands.map((command) => `  ${paint(deps, "cyan", command)}`),
  ];
  return [
    "",
    paint(deps, ["bold", isDone ? "green" : "red"], first),
    ...list("Look around:", [
      `git -C ${place.repo} log --oneline`,
      `${place.command} issue list --state all`,
      // The one whose first CI run failed.
      `${place.command} logs 2`,
      ...(isDone ? [] : [`${place.command} status`]),
    ]),
    ...list("In a repository of your own:", [`${launcher(deps)} init`]),
    ...list("To remove the demo:", [`rm -r ${place.folder}`]),
    "",
  ].join("\n");
}
