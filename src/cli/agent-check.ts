// `pawl agent check NAME`: takes the user's own agent through what Pawl asks of every agent, in a
// scratch repository with a factory of its own. Two issues are worked on: one is done in peace, the
// other is told something and killed in the middle of a command, and must land all the same.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtimeNamed } from "../adapters/runtimes.ts";
import type { RunView } from "../api/runs.ts";
import { OperationError } from "../lib/operation-error.ts";
import { createClient, type Client } from "./client.ts";
import { startForeground, type Foreground } from "./daemon-main.ts";
import { agentSection, DEMO_AGENTS, settleIn } from "./demo-model.ts";
import { makeDemoRepository } from "./demo-repository.ts";
import { EXIT, type Deps, type ExitCode } from "./deps.ts";
import { launcher } from "./launcher.ts";
import { printRows, type Column } from "./output/rows.ts";
import { requireTmux } from "./require-tmux.ts";

/** One case may take this long: a model may be slow, and so may a machine. */
const CASE_MAX_MS = 15 * 60_000;

type Case = { name: string; result: "passed" | "failed" | "not checked"; detail: string };

const sh = (script: string): string =>
  `Run this block in a shell, once, as it stands. Commit all that it makes. That is the whole task.\n\n\`\`\`sh\n${script}\n\`\`\`\n`;
/** It says that it runs, and runs until it may end. */
const HOLD = `mkdir -p .git && : > .git/check-started
until [ -e .git/check-go ]; do sleep 0.2; done
echo survived > survived.txt`;

export async function checkAgent(
  deps: Deps,
  options: { name: string; stub?: true | undefined; json?: true | undefined },
): Promise<ExitCode> {
  await requireTmux(deps);
  const { name } = options;
  const stub = options.stub === true ? await startStub(name) : undefined;
  const runtime = runtimeNamed(name);
  if (runtime === undefined || runtime.needsCommand === true) throw unknownAgent(name);
  const agent = DEMO_AGENTS.find((one) => one.name === name) ?? { name, opening: "" };
  const place = await makeDemoRepository((home) => agentSection(agent, home, stub?.url));
  if (stub !== undefined) settleIn(agent, { home: place.userHome, url: stub.url });
  const own = stub === undefined ? {} : { HOME: place.userHome };
  const env = { ...deps.env, ...own, PAWL_HOME: place.home };
  const client = createClient({ env, cwd: place.repo, version: deps.version, project: undefined });
  const add = (title: string, body: string) =>
    client.post("/v1/issues", { title, body, key: `check-${title}`, author: "check" });
  await add("Work in peace", sh("echo checked > checked.txt"));
  await add("Survive", sh(HOLD));
  deps.stderr(`checking ${runtime.title} in ${place.folder}\n`);
  const { version } = deps;
  const foreground = await startForeground({
    env,
    version,
    folder: place.repo,
    project: undefined,
    onInterrupt: { began: () => undefined, ended: () => undefined },
  });
  try {
    const world = { deps, client, foreground };
    const cases = await takeThrough(world);
    printRows(deps, cases, { columns: COLUMNS, json: options.json === true, empty: "" });
    const isPassed = cases.every(({ result }) => result !== "failed");
    if (!isPassed) deps.stderr(`see what happened: \`${place.command} logs 1\`\n`);
    deps.stderr(`\`${launcher(deps)} demo --clean\` removes the scratch repository\n`);
    // Its agents exit by themselves once their work has landed.
    if (isPassed) await until(world, async () => (await foreground.status()).idle);
    return isPassed ? EXIT.ok : EXIT.failed;
  } finally {
    await foreground.close();
    await stub?.close();
  }
}

async function startStub(name: string) {
  if (runtimeNamed(name)?.demo === undefined) return undefined;
  return (await import("./model-stub/server.ts")).startModelStub();
}

const unknownAgent = (name: string): OperationError =>
  new OperationError(`cannot check "${name}": it is no agent program that Pawl knows`, {
    code: "usage",
    hint: "`pawl agent list` lists them",
  });

type World = { deps: Deps; client: Client; foreground: Foreground };

async function takeThrough(world: World): Promise<Case[]> {
  const { client } = world;
  const run = async (issue: number): Promise<RunView | undefined> =>
    (await world.foreground.status()).runs.findLast((one) => one.issue === issue);
  const cases: Case[] = [];
  const check = async (name: string, detail: string, probe: () => Promise<boolean>) => {
    const isPassed = await until(world, probe);
    const said = (await run(2))?.needs_you ?? (await run(1))?.needs_you;
    const why = `not within ${CASE_MAX_MS / 60_000} minutes${said === undefined || said === null ? "" : `; it asks: ${said}`}`;
    cases.push({ name, result: isPassed ? "passed" : "failed", detail: isPassed ? detail : why });
    return isPassed;
  };
  const marked = async (name: string): Promise<boolean> =>
    existsSync(join((await run(2))?.worktree_path ?? "/", ".git", name));

  await check("start", "its process runs", async () => ((await run(1))?.epoch ?? 0) > 0);
  await check("work lands", "issue 1 is on main", async () => (await run(1))?.outcome === "landed");
  if (!(await check("tool", "a command runs", () => marked("check-started")))) return cases;
  await client.post("/v1/runs/2/nudge", { by: world.deps.user, text: "You are being checked." });
  const before = await run(2);
  if (typeof before?.pid === "number") process.kill(before.pid, "SIGKILL");
  await check("kill -9", "a new life continues", async () => {
    const now = await run(2);
    return now !== undefined && now.epoch > (before?.epoch ?? 0) && now.pid !== before?.pid;
  });
  writeFileSync(join(before?.worktree_path ?? "/", ".git", "check-go"), "");
  await check("end", "issue 2 is on main", async () => (await run(2))?.outcome === "landed");
  const told = (await run(2))?.messages.find(({ kind }) => kind === "notice" || kind === "nudge");
  const isRead = told?.status === "acknowledged" || told?.status === "told";
  cases.push({
    name: "message",
    result: isRead ? "passed" : "failed",
    detail: told === undefined ? "it was lost" : `it is ${told.status}`,
  });
  const tokens = ((await run(1))?.tokens ?? 0) + ((await run(2))?.tokens ?? 0);
  const used = { result: "passed", detail: `${tokens.toLocaleString("en-US")} tokens` } as const;
  const untold = { result: "not checked", detail: "it reported none" } as const;
  cases.push({ name: "usage", ...(tokens > 0 ? used : untold) });
  return cases;
}

/** Until it holds, or a person would be asked, or the time is up. */
async function until({ foreground, deps }: World, probe: () => Promise<boolean>): Promise<boolean> {
  const end = deps.now() + CASE_MAX_MS;
  while (deps.now() < end) {
    if (await probe()) return true;
    const { runs } = await foreground.status();
    if (runs.some(({ needs_you: asks }) => asks !== null)) return probe();
    await changed(foreground);
  }
  return false;
}

const LOOK_MS = 500;

/** A file that an agent made changes nothing in the journal: it is looked for now and then. */
const changed = (foreground: Foreground): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, LOOK_MS);
    const stop = foreground.onChange(done);
    function done(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });

const COLUMNS: Column<Case>[] = [
  { title: "case", tty: ({ name }) => name },
  { title: "result", tty: ({ result }) => result },
  { title: "", tty: ({ detail }) => detail },
];
