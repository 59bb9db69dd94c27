// `pawl demo`: a scratch repository, a handful of issues, three agents in parallel, a green main.
// Needs no account and no network: the built-in tracker, CI and script agent do the work.
import { styleText } from "node:util";
import type { StatusView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { createClient } from "../client.ts";
import { DEMO_ISSUES, makeDemoRepository } from "../demo-repository.ts";
import { createStory } from "../output/story.ts";
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
  deps.stderr(`A scratch repository: ${place.repo}\n\n`);
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
  const status = await createStory(deps, foreground)
    .untilIdle()
    .finally(() => foreground.close());
  return report(deps, {
    status,
    json,
    repo: place.repo,
    home: place.home,
    ms: deps.now() - started,
  });
}

function report(
  deps: Deps,
  end: { status: StatusView; json: boolean; repo: string; home: string; ms: number },
): ExitCode {
  const { runs } = end.status;
  const count = (outcome: string): number => runs.filter((run) => run.outcome === outcome).length;
  const result = {
    issues: DEMO_ISSUES.length,
    landed: count("landed"),
    blocked: count("blocked"),
    escalated: runs.filter((run) => run.needs_you !== null).length,
    seconds: Math.round(end.ms / 100) / 10,
    repo: end.repo,
  };
  if (end.json) deps.stdout(`${JSON.stringify(result)}\n`);
  else deps.stdout(summary(result, end.home));
  return result.landed === result.issues ? EXIT.ok : EXIT.failed;
}

function summary(
  result: { issues: number; landed: number; seconds: number; repo: string },
  home: string,
): string {
  return [
    "",
    styleText(
      "bold",
      `${result.landed} of ${result.issues} issues landed on a green main in ${result.seconds} s.`,
    ),
    "",
    "Look around:",
    `  git -C ${result.repo} log --oneline --graph`,
    `  cd ${result.repo} && PAWL_HOME=${home} pawl issue list --state all`,
    `  cd ${result.repo} && PAWL_HOME=${home} pawl logs 1`,
    "",
  ].join("\n");
}
