// `npm test`: a verdict over all layers within minutes. `npm run test:all`: all that can be proven on
// one machine. `npm run test:rest`: the difference, which CI runs after `npm test`. The last line is
// always `N passed, N failed`, which CI and people read.
import { setup } from "../test/support/pack.ts";
import { check } from "./check.ts";
import { acceptance, integration, page, type Split } from "./quick-tests.ts";
import { countsLine, formatOutcome, runTool, runVitest, type Outcome } from "./tool.ts";

const MINUTE_MS = 60_000;
/** Only against one that hangs: beside another part, on a slow machine, a suite takes long. */
const SUITE_TIMEOUT_MS = 60 * MINUTE_MS;

const SUITE = { timeoutMs: SUITE_TIMEOUT_MS, live: true };
/** Beside another part: its output is shown when it is over. */
const BESIDE = { timeoutMs: SUITE_TIMEOUT_MS };

/** What could not be tried here, for the last lines. */
const notTried: string[] = [];

const SIMULATION = {
  name: "simulation",
  // Seeds derived from the tree: another run of the same commit gives the same verdict. Few of them:
  // `npm run sim` tries random ones by the thousand, where it does not delay a verdict.
  command: ["npm", "run", "--silent", "sim", "--", "--cpu-seconds", "30", "--of-tree"],
  timeoutMs: 5 * MINUTE_MS,
};
/** Besides the pinned one: what users have today, and what npm installs under Node 20. */
const CLAUDE_VERSIONS = ["newest", "2.1.197"];
const CLAUDE = "PAWL_CLAUDE_VERSION";
const CLAUDE_SUITE = ["test/claude/delivery.test.ts", "test/claude/issue-to-landed.test.ts"];
/** Those of scripts/fetch-agent.sh that tests use. */
const AGENTS = ["codex", "opencode", "gemini", "copilot", "claude-acp"];
/** Tests of real programs have no other network. */
const LOOPBACK = ["sh", "scripts/loopback.sh"];
/** Parts of the names of integration tests that depend most on a user's git, rights, processes or tmux. */
const AS_USER = [
  "/checkpoint-hostile",
  "/git-checkout",
  "/git-checkpoint.test",
  "/git-irregular",
  "/git-land.test",
  "/git-lfs",
  "/git-private",
  "/git-remote",
  "/git-sparse",
  "/git-target",
  "/git-watch",
  "/git-workspace",
  "/terminal-",
  "/commands",
  "/ci-builtin",
  "/detect",
  "/paths-outside",
  "/read-only-folders",
  "/script-agent",
  "/session-files-",
  "/store-lock",
  "/untrusted-file",
  "/walls-limits",
];
const CRASH_COVERAGE = {
  name: "crash coverage",
  command: ["node", "scripts/crash-coverage.ts"],
  timeoutMs: 30 * MINUTE_MS,
};

async function runQuick(): Promise<Outcome[]> {
  // Building and fetching mostly wait for the disk and the network.
  const [checked] = await Promise.all([check(), setup(), fetchDescriptions()]);
  // First those that wait for agents and for a browser, side by side. Integration tests never wait:
  // alone at the end they use every core.
  const parts = [
    () => announced(runVitest("acceptance", { ...SUITE, ...quick(acceptance, "acceptance") })),
    () => told(runVitest("page", { ...BESIDE, ...quick(page, "page") })),
    () => told(runVitest("integration", { ...BESIDE, ...quick(integration, "integration") })),
  ];
  return [...checked, ...(await sideBySide(parts.map((part) => async () => [await part()])))];
}

const quick = (all: Split, kind: string) => ({
  files: all.quick,
  name: `${kind} tests, the quick ones`,
});
const others = (all: Split, kind: string) => ({
  files: all.others,
  name: `${kind} tests, the others`,
});

/** Alone, each part leaves a third of two cores idle while it waits for its agents. */
const AT_ONCE = 2;

async function runRest(): Promise<Outcome[]> {
  await setup();
  await fetchDescriptions();
  // The longest first, so that all end together.
  return sideBySide([
    runOthers,
    runGitea,
    runAgents,
    runCrashCoverage,
    runClaude,
    runAsUser,
    runSimulation,
    runPage,
    runIntegration,
  ]);
}

/** A worker takes the next part when it has ended one. */
async function sideBySide(parts: (() => Promise<Outcome[]>)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = [...parts];
  const worker = async (): Promise<void> => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      outcomes.push(...(await part()));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

const runOthers = async (): Promise<Outcome[]> => [
  await announced(runVitest("acceptance", { ...SUITE, ...others(acceptance, "acceptance") })),
];
const runPage = async (): Promise<Outcome[]> => [
  await told(runVitest("page", { ...BESIDE, ...others(page, "page") })),
];
const runIntegration = async (): Promise<Outcome[]> => [
  await told(runVitest("integration", { ...BESIDE, ...others(integration, "integration") })),
];
const runSimulation = async (): Promise<Outcome[]> => [await told(runTool(SIMULATION))];
const runCrashCoverage = async (): Promise<Outcome[]> => [await told(runTool(CRASH_COVERAGE))];

const LEFT_OUT =
  "`npm run test:all` also runs the other integration, acceptance and page tests, Claude Code and other agents, Gitea, the simulator, crash coverage and, as root, a pass as an ordinary user.";

async function run(mode: string | undefined): Promise<void> {
  if (mode === "rest") return summarise(await runRest());
  if (mode === "agents") return summarise(await runAllAgents());
  const quick = await runQuick();
  if (mode === "all") return summarise([...quick, ...(await runRest())]);
  console.log(`\n${LEFT_OUT}`);
  summarise(quick);
}

/** Root may do everything, and its tests read no configuration of the machine: users differ in both. */
async function runAsUser(): Promise<Outcome[]> {
  const name = "integration tests as an ordinary user";
  const within = ["sh", "scripts/as-user.sh"];
  const tried = await runTool({ name, command: [...within, "true"], timeoutMs: MINUTE_MS });
  if (!tried.ok) {
    skip(name, tried);
    return [];
  }
  const run = { files: AS_USER, name, within };
  return [await told(runVitest("integration", { ...BESIDE, ...run }))];
}

/** What GitHub, Gitea and Forgejo say of their own APIs: the fakes are held to it. */
async function fetchDescriptions(): Promise<void> {
  for (const forge of ["github", "gitea", "forgejo"]) {
    const command = ["sh", `scripts/fetch-${forge}-api.sh`];
    const fetched = await runTool({ name: `${forge} API`, command, timeoutMs: 5 * MINUTE_MS });
    if (!fetched.ok) skip(`the API description of ${forge}`, fetched);
  }
}

// Fetched first: the tests themselves have no network but loopback.
async function runClaude(): Promise<Outcome[]> {
  const pinned = await fetchClaude([]);
  const within = LOOPBACK;
  const outcomes = [await told(runVitest("claude", { ...BESIDE, within }))];
  const tested = new Set([pinned]);
  for (const wanted of CLAUDE_VERSIONS) {
    const version = await fetchClaude([wanted]);
    if (version === undefined) continue;
    if (tested.has(version)) {
      console.log(`note: Claude Code ${version} (${wanted}) is the pinned version, tested above`);
      continue;
    }
    tested.add(version);
    const name = `claude ${version}: delivery and landing`;
    const run = { files: CLAUDE_SUITE, name, within: ["env", `${CLAUDE}=${version}`, ...within] };
    outcomes.push(await told(runVitest("claude", { ...BESIDE, ...run })));
  }
  return outcomes;
}

/** The version that was fetched; undefined, and said aloud, if it cannot be. */
async function fetchClaude(words: string[]): Promise<string | undefined> {
  const command = ["sh", "scripts/fetch-claude.sh", ...words];
  const fetched = await runTool({ name: "Claude Code", command, timeoutMs: 5 * MINUTE_MS });
  const version = /\/claude-(\d[\w.-]*)\//.exec(fetched.output)?.[1];
  if (fetched.ok && version !== undefined) return version;
  skip(`Claude Code ${words.join(" ")}`.trim(), fetched);
  return undefined;
}

/** Fetched first, as Claude Code is. */
async function runAgents(): Promise<Outcome[]> {
  await fetchAgents();
  return [await told(runVitest("agents", { ...BESIDE, within: LOOPBACK }))];
}

async function runAllAgents(): Promise<Outcome[]> {
  await setup();
  await fetchClaude([]);
  return runAgents();
}

async function fetchAgents(): Promise<void> {
  for (const name of AGENTS) {
    const command = ["sh", "scripts/fetch-agent.sh", name];
    const fetched = await runTool({ name, command, timeoutMs: 5 * MINUTE_MS });
    if (!fetched.ok) skip(name, fetched);
  }
}

// Built once into a cache: on a new machine that takes minutes, and needs Go and its proxy.
async function runGitea(): Promise<Outcome[]> {
  const fetch = ["sh", "scripts/fetch-gitea.sh"];
  const fetched = await runTool({ name: "Gitea", command: fetch, timeoutMs: 15 * MINUTE_MS });
  if (!fetched.ok) skip("Gitea", fetched);
  return [await told(runVitest("gitea", BESIDE))];
}

function skip(name: string, { output }: Outcome): void {
  console.log(`SKIPPED          ${name}:\n${output}`);
  notTried.push(name);
}

/** Told when it is over: something else is being told meanwhile. */
async function told(run: Promise<Outcome>): Promise<Outcome> {
  const outcome = await run;
  console.log(outcome.output);
  return announced(Promise.resolve(outcome));
}

async function announced(run: Promise<Outcome>): Promise<Outcome> {
  const outcome = await run;
  console.log(formatOutcome(outcome));
  return outcome;
}

function summarise(outcomes: Outcome[]): void {
  const failures = outcomes.filter(({ ok }) => !ok);
  if (failures.length > 0) console.log(`\nfailed: ${failures.map(({ name }) => name).join(", ")}`);
  const skipped = outcomes.flatMap(({ counts }) => counts.skipped);
  if (skipped.length > 0) {
    console.log(`\n${skipped.length} skipped\n${skipped.map((title) => `  ${title}`).join("\n")}`);
  }
  if (notTried.length > 0) console.log(`\nnot tried here: ${notTried.join(", ")}`);
  const passed = outcomes.reduce((sum, { counts }) => sum + counts.passed, 0);
  const failed = outcomes.reduce((sum, { counts }) => sum + counts.failed, 0);
  console.log(`\n${countsLine({ passed, failed, skipped })}`);
  process.exitCode = failures.length > 0 || failed > 0 ? 1 : 0;
}

await run(process.argv[2]);
