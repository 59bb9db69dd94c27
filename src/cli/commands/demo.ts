// `pawl demo`: a scratch repository, a handful of issues, three agents in parallel, a green main.
// Needs no account and no network: the built-in tracker, CI and script agent do the work.
import { Option } from "@commander-js/extra-typings";
import type { DeviceView, PageLinkView } from "../../api/page.ts";
import type { StatusView } from "../../api/runs.ts";
import type { SignalView } from "../../api/signals.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { createClient, type Client } from "../client.ts";
import type { Foreground } from "../daemon-main.ts";
import {
  agentSection,
  DEMO_AGENTS,
  demoAgent,
  requireProgram,
  settleIn,
  type DemoAgent,
} from "../demo-model.ts";
import { DEMO_ISSUES } from "../demo-issues.ts";
import { makeDemoRepository, type DemoPlace } from "../demo-repository.ts";
import { DemoScreen } from "../demo-screen.ts";
import { launcher } from "../own-command-text.ts";
import { openBrowser } from "../open-browser.ts";
import type { ModelStub } from "../model-stub/server.ts";
import { paint } from "../output/text.ts";
import { requireTmux } from "../require-tmux.ts";
import { shownRef } from "../output/shown-ref.ts";
import { wrapped } from "../output/wrap.ts";

export const addDemo: AddCommand = (program, { deps, finish }) => {
  program
    .command("demo")
    .description("land a small backlog in a scratch repository, to see how Pawl works")
    .addOption(
      new Option(
        "--agent <agent>",
        "which agent works: the built-in script agent, or a program on your PATH; a stub that comes with Pawl stands in for its model, so that it needs no account and costs nothing",
      )
        .choices(DEMO_AGENTS.map(({ name }) => name))
        .default("script"),
    )
    .option(
      "--page",
      "watch it in a browser; the demo starts when the page is open, and runs until Ctrl-C",
    )
    .option("--clean", "remove what your earlier demos left, in other terminals too")
    .option("--json", "print one object at the end")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl demo\n  pawl demo --page\n  pawl demo --agent claude\n  pawl demo --clean",
    )
    .action(async (options) => finish(await demoOrClean(deps(), options)));
};

type DemoOptions = {
  agent: string;
  page?: true | undefined;
  clean?: true | undefined;
  json?: true | undefined;
};

async function demoOrClean(deps: Deps, options: DemoOptions): Promise<ExitCode> {
  if (options.clean !== true) return demo(deps, options);
  return (await import("../demo-clean.ts")).cleanDemos(deps, options.json === true);
}

async function demo(deps: Deps, options: DemoOptions): Promise<ExitCode> {
  await requireTmux();
  const agent = demoAgent(options.agent);
  const stub = await stubFor(agent);
  try {
    const isJson = options.json === true;
    return await play(deps, { agent, stub, isJson, hasPage: options.page === true });
  } finally {
    await stub?.close();
  }
}

async function stubFor({ stub }: DemoAgent): Promise<ModelStub | undefined> {
  if (stub === undefined) return undefined;
  requireProgram(stub);
  return (await import("../model-stub/server.ts")).startModelStub();
}

type Play = {
  agent: DemoAgent;
  stub: ModelStub | undefined;
  isJson: boolean;
  hasPage: boolean;
};

async function play(deps: Deps, { agent, stub, isJson, hasPage }: Play): Promise<ExitCode> {
  const place = await makeDemoRepository((home) => agentSection(agent, { home, url: stub?.url }));
  settleIn(agent, { home: place.userHome, url: stub?.url });
  deps.stderr(`${opening(place.folder, agent)}\n\n`);
  const env = { ...deps.env, PAWL_HOME: place.home, HOME: place.userHome };
  const client = createClient({ env, cwd: place.repo, version: deps.version, project: undefined });
  const file = async (): Promise<void> => {
    for (const issue of DEMO_ISSUES) {
      await client.post("/v1/issues", { ...issue, key: `demo-${issue.title}`, author: "demo" });
    }
  };
  if (!hasPage) await file();
  const { startForeground } = await import("../daemon-main.ts");
  const screen = new DemoScreen(deps);
  const foreground = await startForeground({
    env,
    version: deps.version,
    folder: place.repo,
    project: undefined,
    onInterrupt: {
      began: () => {
        screen.close();
        deps.stderr("\nending the agents of the demo …\n");
      },
      ended: () =>
        deps.stderr(`no agent is left; \`${launcher(deps)} demo --clean\` removes the demo\n`),
    },
  });
  try {
    if (hasPage) {
      await openDemoPage(deps, { client, foreground });
      await file();
    }
    const started = deps.now();
    const status = await screen.untilIdle(foreground);
    const ms = deps.now() - started;
    const conflicts = await client.get<SignalView[]>("/v1/signals?kind=MERGE_CONFLICT");
    const returns = returnsOf(status, conflicts);
    const code = report(deps, { status, returns, json: isJson, place, ms });
    if (hasPage) {
      deps.stderr("The page stays open until you press Ctrl-C.\n");
      await foreground.ended;
    }
    return code;
  } finally {
    await foreground.close();
  }
}

/** The demo begins when a browser is there to watch it. */
async function openDemoPage(
  deps: Deps,
  { client, foreground }: { client: Client; foreground: Foreground },
): Promise<void> {
  const { url } = await client.post<PageLinkView>("/v1/page/links", { scope: "operate" });
  deps.stdout(`${url}\n`);
  deps.stderr("Open this link in a browser on this machine. The demo then begins.\n\n");
  openBrowser(deps, url);
  const follower = await client.follow();
  foreground.ended.then(
    () => follower.close(),
    () => undefined,
  );
  // Pairing is a commit like any other.
  while ((await client.get<DeviceView[]>("/v1/page/devices")).length === 0) {
    if (!(await follower.changed())) return;
  }
  follower.close();
}

const opening = (folder: string, agent: DemoAgent): string =>
  [
    `${DEMO_ISSUES.length} issues, 3 agents at once, a scratch repository in ${folder}.`,
    agent.opening,
  ].join("\n");

function report(
  deps: Deps,
  end: { status: StatusView; returns: string[]; json: boolean; place: DemoPlace; ms: number },
): ExitCode {
  const { runs } = end.status;
  const count = (outcome: string): number => runs.filter((run) => run.outcome === outcome).length;
  const result = {
    issues: DEMO_ISSUES.length,
    landed: count("landed"),
    blocked: count("blocked"),
    escalated: runs.filter((run) => run.needs_you !== null).length,
    sent_back: end.returns.length,
    seconds: Math.round(end.ms / 100) / 10,
    repo: end.place.repo,
  };
  if (end.json) deps.stdout(`${JSON.stringify(result)}\n`);
  else
    deps.stdout(
      summary(deps, {
        ...result,
        notes: [...end.returns, ...troublesOf(end.status)].map((note) => wrapped(deps, note)),
        place: end.place,
      }),
    );
  return result.landed === result.issues ? EXIT.ok : EXIT.failed;
}

/** What the merge queue did not let through at first, a line each. */
function returnsOf({ runs }: StatusView, conflicts: SignalView[]): string[] {
  return runs.flatMap((run) => {
    const end = run.outcome === "landed" ? "fixed and landed" : (run.outcome ?? "not fixed");
    return run.messages
      .filter(({ kind }) => kind === "conflict" || kind === "tests-failed")
      .map(({ kind }) => {
        const files = conflicts.find(
          (one) => one.run === run.run && one.detail["reason"] === "conflict",
        )?.detail["conflict_files"];
        const where = Array.isArray(files) && files.length > 0 ? ` in ${files.join(", ")}` : "";
        const why =
          kind === "conflict" ? `conflict${where}` : "CI failed together with what had landed";
        return `The merge queue sent back ${shownRef(run)}: ${why} → ${end}.`;
      });
  });
}

/** What else went wrong on the way, and how it ended. */
function troublesOf({ runs }: StatusView): string[] {
  return runs.flatMap((run) => {
    const end = run.outcome === "landed" ? "landed" : (run.outcome ?? "not landed");
    const isRed = run.messages.some(({ kind }) => kind === "ci-failed");
    const ref = shownRef(run);
    return [
      ...(isRed ? [`CI failed on ${ref}: Pawl reported the failure to its agent → ${end}.`] : []),
      ...(run.crashes > 0
        ? [`The agent of ${ref} crashed: Pawl started it again in its workspace → ${end}.`]
        : []),
    ];
  });
}

/** Every line that is indented works as it stands, from any folder. */
function summary(
  deps: Deps,
  result: {
    issues: number;
    landed: number;
    seconds: number;
    notes: string[];
    place: DemoPlace;
  },
): string {
  const { issues, landed, seconds, place, notes } = result;
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
    ...notes,
    ...list("Look around:", [
      `git -C ${place.repo} log --oneline`,
      `${place.command} issue list --state all`,
      // The one whose first CI run failed.
      `${place.command} logs 5`,
      // One of those that get in each other's way.
      `${place.command} merge-queue explain 1`,
      ...(isDone ? [] : [`${place.command} status`]),
    ]),
    ...list("In a repository of your own:", [`${launcher(deps)} init`]),
    ...list("To remove the demo:", [`${launcher(deps)} demo --clean`]),
    "",
  ].join("\n");
}
