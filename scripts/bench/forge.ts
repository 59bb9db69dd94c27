// Requests an hour that a forge gets from a project: the real observer, the real adapters over real
// HTTP against the fake servers, which count; only the clock is simulated. A look at the target is
// counted as two requests of git. Of ten active runs, four work, two wait for checks on the forge,
// two for a review, one for an operator's answer, one for the queue.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createForgeVerdicts } from "../../src/adapters/ci-server/forge-verdicts.ts";
import { createServerCi } from "../../src/adapters/ci-server/server-ci.ts";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import { createGithubForge } from "../../src/adapters/forge-github/github-forge.ts";
import type { ForgeConfig } from "../../src/core/config.ts";
import { commitId, projectName, runId, treeId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Stage } from "../../src/core/run/stage.ts";
import { createObserve, type ObserveDeps } from "../../src/daemon/observing/observe.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { CiServer } from "../../src/ports/ci.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { createFakeClock } from "../../test/support/clock.ts";
import { testConfig } from "../../test/support/config.ts";
import { DEV_TOKEN, startFakeGitea } from "../../test/support/fake-gitea/server.ts";
import { GITHUB_DEV, startFakeGithub } from "../../test/support/fake-github/server.ts";
import { testRun } from "../../test/support/run.ts";
import { print } from "./place.ts";

const TOY = projectName("toy");
const HOUR_MS = 3_600_000;
const TICK_MS = 30_000;
const CHECK_POLL_MS = 30_000;
/** What ten busy runs make a forge tell in an hour: pushes, PRs, statuses, reviews, comments. */
const DELIVERIES = 60;
const HEAD = commitId("a".repeat(40));

type Kind = "gitea" | "github";
type Server = { forge: Forge; seen: string[]; free: () => number; close(): Promise<void> };

async function open(kind: Kind, bare: string, now: () => number): Promise<Server> {
  const common = { owner: "team", repo: "project", reviewToken: undefined, now, crash: noCrash };
  const more = {
    factory: async () => ({ id: "bench", home: "bench" }),
    wait: async () => undefined,
  };
  if (kind === "gitea") {
    const fake = await startFakeGitea(bare);
    const token = { value: DEV_TOKEN, name: "FORGE_TOKEN" };
    const own = { ...common, ...more, url: fake.url, token, secrets: [] };
    return {
      forge: createGiteaForge(own),
      seen: fake.seen,
      free: () => 0,
      close: () => fake.close(),
    };
  }
  const fake = await startFakeGithub(bare);
  const token = { value: GITHUB_DEV, name: "GITHUB_TOKEN" };
  const forge = createGithubForge({ ...common, ...more, url: fake.url, token, secrets: [] });
  return { forge, seen: fake.seen, free: () => fake.at.unchanged, close: () => fake.close() };
}

const STAGES: Stage[] = [
  ...Array.from({ length: 4 }, (): Stage => ({ kind: "working" })),
  ...Array.from({ length: 2 }, (): Stage => ({
    kind: "checking",
    head: HEAD,
    key: "k",
    deadline: undefined,
  })),
  ...Array.from({ length: 2 }, (): Stage => ({ kind: "reviewing", head: HEAD, deadline: HOUR_MS })),
  {
    kind: "escalated",
    escalation: {
      reason: "?",
      since: 0,
      remindAt: undefined,
      deadline: HOUR_MS,
      again: undefined,
      unreviewed: undefined,
      question: undefined,
      posted: "1",
    },
  },
  { kind: "queued", head: HEAD },
];

/** Ten runs, their issues and PRs; none where the project is idle. */
async function runsOn(forge: Forge, count: number): Promise<Run[]> {
  const made: Run[] = [];
  for (const [index, stage] of STAGES.slice(0, count).entries()) {
    const issue = { title: `${index}`, body: "", labels: ["in-progress"], author: "ann" };
    const { number } = await forge.createIssue({ ...issue, key: `${index}` });
    const base = testRun();
    const config = { ...base.config, review: { required: true }, forge: forgeConfig };
    const work = { ...base.work, kind: "issue", number } as Run["work"];
    const run = { ...base, id: runId(`${index}`), stage, config, work, pr: number };
    made.push({ ...run, pr: stage.kind === "working" ? undefined : number });
  }
  return made;
}

const forgeConfig: ForgeConfig = {
  kind: "gitea",
  url: "https://x",
  owner: "team",
  repo: "project",
  operators: ["ann"],
};

async function hour(kind: Kind, runs: number, told: boolean): Promise<string> {
  const bare = mkdtempSync("/tmp/pawl-bench-forge-");
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", bare]);
  const clock = createFakeClock();
  const server = await open(kind, bare, () => clock.now());
  const active = await runsOn(withoutPrs(server.forge), runs);
  let targets = 0;
  const observe = observer({ ...server, forge: withoutPrs(server.forge) }, active, clock, () => {
    targets += 1;
  });
  const ci = createServerCi({
    verdicts: createForgeVerdicts({
      forge: server.forge,
      target: "main",
      contexts: ["build"],
      now: () => clock.now(),
    }),
    told: { get: async () => undefined, put: async () => undefined },
    clock,
    crash: noCrash,
    pollMs: CHECK_POLL_MS,
  });
  const ended = new AbortController();
  const checks = active
    .filter(({ stage }) => stage.kind === "checking")
    .map(() => judge(ci, ended));
  if (told) observe.webhooks.listens(TOY, 0);
  await settled(server);
  const before = { seen: server.seen.length, free: server.free(), targets };
  const deliverEvery = told && runs > 0 ? Math.floor(HOUR_MS / TICK_MS / DELIVERIES) : 0;
  for (let tick = 0; tick < HOUR_MS / TICK_MS; tick += 1) {
    await clock.pass(TICK_MS);
    if (deliverEvery > 0 && tick % deliverEvery === 0) {
      const hint = (["issues", "checks", "target"] as const)[tick % 3] ?? "issues";
      observe.webhookDelivered(TOY, hint);
      if (hint !== "issues") ci.stir();
    }
    await settled(server);
  }
  ended.abort();
  await Promise.all(checks);
  observe.stop();
  const requests = server.seen.length - before.seen;
  const git = 2 * (targets - before.targets);
  const free = server.free() - before.free;
  await server.close();
  rmSync(bare, { recursive: true });
  const note = free === 0 ? "" : `, ${free} of them 304 and free`;
  return `${requests + git} requests an hour (${requests} API${note}, ${git} git)`;
}

/** The PRs of this bench are issues: only the questions about them count, not their answers. */
const withoutPrs = (forge: Forge): Forge => ({
  ...forge,
  reviews: async (pr) => forge.reviews(pr).catch(() => []),
});

function observer(
  server: Server,
  active: Run[],
  ...[clock, onTarget]: [ReturnType<typeof createFakeClock>, () => void]
) {
  const config = { ...testConfig(), forge: forgeConfig };
  const project = {
    kind: "project",
    name: TOY,
    config,
    configProblem: undefined,
    observedAt: 0,
    backlog: [],
    active: active.map(({ id, work }) => ({
      run: id,
      issue: work.kind === "issue" ? work.number : undefined,
    })),
  };
  const states = new Map<string, unknown>([
    ["project:toy", project],
    ...active.map((run) => [`run:toy/${run.id}`, run] as const),
  ]);
  return createObserve({
    store: {
      aggregates: async () => [{ id: "project:toy", state: project }],
      load: async (id: string) => (states.has(id) ? { state: states.get(id) } : undefined),
    },
    ports: {
      project: async () => ({ forge: server.forge, git: { fetchTarget: async () => onTarget() } }),
    },
    loop: { submit: async () => true },
    clock,
    readConfig: async () => ({ kind: "valid", config, source: "target" }),
    scope: () => true,
    onError: (error: unknown) => console.error(error),
    onRecovered: () => undefined,
  } as unknown as ObserveDeps);
}

const judge = (ci: CiServer, ended: AbortController): Promise<unknown> =>
  ci
    .judge({
      key: "k",
      commit: HEAD,
      tree: treeId("b".repeat(40)),
      isPr: true,
      signal: ended.signal,
    })
    .catch(() => undefined);

/** No request comes any more. */
async function settled({ seen }: Server): Promise<void> {
  for (let last = -1; last !== seen.length;) {
    last = seen.length;
    await wait(15);
  }
}

export async function benchForge(): Promise<void> {
  for (const kind of ["gitea", "github"] as const) {
    print(`${kind}, idle, polling`, await hour(kind, 0, false), "< 60");
    print(`${kind}, idle, webhooks`, await hour(kind, 0, true), "about 0");
    print(`${kind}, 10 active runs, polling`, await hour(kind, 10, false));
    print(
      `${kind}, 10 active runs, webhooks (${DELIVERIES} deliveries)`,
      await hour(kind, 10, true),
    );
  }
}
