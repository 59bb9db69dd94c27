// `pawl agent check NAME`: takes the user's own agent through what Pawl asks of every agent, in a
// scratch repository with a factory of its own. What cannot be tried is in the table, with the reason.
import { runtimeNamed } from "../adapters/runtimes.ts";
import type { RunView } from "../api/runs.ts";
import { OperationError } from "../lib/operation-error.ts";
import {
  CASES,
  CHECKS,
  MISSING,
  whyLeftOut,
  type Case,
  type Runtime,
  type World,
} from "./agent-check-cases.ts";
import { createClient, type Client } from "./client.ts";
import { startForeground, type Foreground } from "./daemon-main.ts";
import { agentSection, DEMO_AGENTS, settleIn } from "./demo-model.ts";
import { makeDemoRepository } from "./demo-repository.ts";
import { EXIT, type Deps, type ExitCode } from "./deps.ts";
import { launcher } from "./own-command-text.ts";
import { printRows, type Column } from "./output/rows.ts";
import { requireTmux } from "./require-tmux.ts";

/** One case may take this long: a model may be slow, and so may a machine. */
const CASE_MAX_MS = 15 * 60_000;

type Checked = { name: Case; result: "passed" | "failed" | "left out"; detail: string };

export async function checkAgent(
  deps: Deps,
  options: { name: string; stub?: true | undefined; json?: true | undefined },
): Promise<ExitCode> {
  await requireTmux();
  const { name } = options;
  const runtime = runtimeNamed(name);
  if (runtime === undefined || runtime.needsCommand === true) throw unknownAgent(name);
  const stub = options.stub === true ? await startStub(runtime) : undefined;
  const agent = DEMO_AGENTS.find((one) => one.name === name) ?? { name, opening: "" };
  const place = await makeDemoRepository(
    (home) => `${agentSection(agent, { home, url: stub?.url, more: SOON })}${others(runtime)}`,
  );
  if (stub !== undefined) settleIn(agent, { home: place.userHome, url: stub.url });
  const own = stub === undefined ? {} : { HOME: place.userHome };
  const env = { ...deps.env, ...own, PAWL_HOME: place.home };
  const client = createClient({ env, cwd: place.repo, version: deps.version, project: undefined });
  deps.stderr(`checking ${runtime.title} in ${place.folder}\n`);
  const foreground = await startForeground({
    env,
    version: deps.version,
    folder: place.repo,
    project: undefined,
    onInterrupt: { began: () => undefined, ended: () => undefined },
  });
  try {
    const isHosted = (await runtime.load()).hosted === true;
    const world = worldOf({ deps, client, foreground });
    const cases = await takeThrough(deps, {
      ...world,
      runtime,
      hasStub: stub !== undefined,
      isHosted,
    });
    printRows(deps, cases, { columns: COLUMNS, json: options.json === true, empty: "" });
    const isPassed = cases.every(({ result }) => result !== "failed");
    if (!isPassed) deps.stderr(`see what happened: \`${place.command} status\`\n`);
    deps.stderr(`\`${launcher(deps)} demo --clean\` removes the scratch repository\n`);
    return isPassed ? EXIT.ok : EXIT.failed;
  } finally {
    await foreground.close();
    await stub?.close();
  }
}

async function startStub({ demo }: Runtime) {
  if (demo === undefined) return undefined;
  return (await import("./model-stub/server.ts")).startModelStub();
}

const unknownAgent = (name: string): OperationError =>
  new OperationError(`cannot check "${name}": it is not an agent program that Pawl knows`, {
    code: "usage",
    hint: "`pawl agent list` lists them",
  });

/** What takes minutes at work takes seconds here. */
const SOON = 'limit_retry = "3 s"\n';
const LIMITS = '[limits]\nquiet_warning = "3 s"\nidle_check = "1 s"\n';

/** An agent whose program is not there, for issues of one label. */
const others = ({ name, program }: Runtime): string =>
  program === undefined
    ? `\n${LIMITS}`
    : `
[[agent.account]]
name = "${MISSING.label}"
runtime = "${name}"
command = ["${MISSING.command}"]

[[agent.for]]
label = "${MISSING.label}"
account = "${MISSING.label}"

${LIMITS}`;

/** One after the other: an agent that fails one case may pass the next. */
async function takeThrough(deps: Deps, world: World): Promise<Checked[]> {
  const cases: Checked[] = [];
  for (const name of CASES) {
    const reason = whyLeftOut(name, world);
    const check = CHECKS[name];
    if (reason !== undefined || check === undefined) {
      cases.push({ name, result: "left out", detail: reason ?? "" });
      continue;
    }
    deps.stderr(`${name} …\n`);
    try {
      cases.push({ name, result: "passed", detail: await check(world) });
    } catch (error) {
      cases.push({
        name,
        result: "failed",
        detail: error instanceof Error ? error.message : String(error),
      });
      // Without a first landing nothing else can be seen.
      if (name === "start") return cases;
    }
  }
  return cases;
}

type Place = { deps: Deps; client: Client; foreground: Foreground };

function worldOf(place: Place): Pick<World, "add" | "run" | "tell" | "until"> {
  const { deps, client, foreground } = place;
  const run = async (issue: number): Promise<RunView | undefined> =>
    (await foreground.status()).runs.findLast((one) => one.issue === issue);
  return {
    run,
    add: async ({ title, body, labels = ["backlog"] }) => {
      const input = { title, body, labels, key: `check-${title}`, author: "check" };
      return (await client.post<{ number: number }>("/v1/issues", input)).number;
    },
    tell: async (issue, text) => {
      await client.post(`/v1/runs/${issue}/nudge`, { by: deps.user, text });
    },
    until: async (issue, probe) => {
      const end = deps.now() + CASE_MAX_MS;
      while (deps.now() < end) {
        const now = await run(issue);
        if (now !== undefined && probe(now)) return now;
        const asks = now?.needs_you ?? null;
        if (asks !== null) throw new Error(`it asks: ${asks}`);
        await changed(foreground);
      }
      throw new Error(`it did not happen within ${CASE_MAX_MS / 60_000} minutes`);
    },
  };
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

const COLUMNS: Column<Checked>[] = [
  { title: "case", tty: ({ name }) => name },
  { title: "result", tty: ({ result }) => result },
  { title: "", tty: ({ detail }) => detail },
];
