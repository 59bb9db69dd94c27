// Puts a CI server's adapter behind its port, where a project's configuration names one.
import { setTimeout as wait } from "node:timers/promises";
import { createForgeVerdicts, requiredOf } from "../../adapters/ci-server/forge-verdicts.ts";
import { createServerCi, type ToldRun, type ToldRuns } from "../../adapters/ci-server/server-ci.ts";
import type { Verdicts } from "../../adapters/ci-server/verdict.ts";
import { createWoodpecker } from "../../adapters/ci-server/woodpecker.ts";
import { systemClock } from "../../adapters/clock-system/system-clock.ts";
import { createHttpClient } from "../../adapters/shared/http-client.ts";
import type { RateLimits } from "../../adapters/shared/http-rate-limit.ts";
import type { ServerCiConfig, WoodpeckerEvent } from "../../core/config.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { eventsIn, missingRequirement } from "../../core/required-checks.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CiServer } from "../../ports/ci.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Store } from "../../ports/store.ts";
import type { Secrets } from "./secrets.ts";
import { useProxy } from "./use-proxy.ts";

const TIMEOUT_MS = 30_000;

type From = {
  project: ProjectName;
  store: Store;
  crash: CrashPoint;
  upstream: Project["upstream"];
  forge: Forge;
  target: string;
  /** The environment, or a `.env` that only its owner reads. */
  secrets: Secrets;
  rateLimits: RateLimits;
};

export async function wireCiServer(config: ServerCiConfig, from: From): Promise<CiServer> {
  return createServerCi({
    verdicts: await verdictsOf(config, from),
    told: toldIn(from.store, from.project),
    clock: systemClock,
    crash: from.crash,
    pollMs: config.pollMs,
  });
}

async function verdictsOf(config: ServerCiConfig, from: From): Promise<Verdicts> {
  if (config.kind === "forge") {
    const now = (): number => systemClock.now();
    const { forge, target } = from;
    return createForgeVerdicts({ forge, target, contexts: config.contexts, now });
  }
  const known = config.url ?? (await from.secrets("WOODPECKER_SERVER")) ?? "";
  const url = known.replace(/\/+$/, "");
  const repo = config.repo ?? repositoryOf(from.upstream);
  if (url === "")
    return failing(
      "its address is not known",
      "write [ci.woodpecker] url, or set WOODPECKER_SERVER",
    );
  if (repo === undefined)
    return failing("its repository is not known", "write [ci.woodpecker] repo");
  const token = (await from.secrets("WOODPECKER_TOKEN")) ?? "";
  await useProxy();
  const http = createHttpClient({
    server: `Woodpecker at ${url}`,
    baseUrl: url,
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
    access:
      "set WOODPECKER_TOKEN to a personal access token (Woodpecker, user settings, CLI & API) of a user who may push to the repository",
    secrets: [token],
    timeoutMs: TIMEOUT_MS,
    now: () => systemClock.now(),
    wait: (ms) => wait(ms),
    rateLimit: from.rateLimits(url, token),
  });
  return createWoodpecker({ http, url, repo, events: eventsOf(config, from) });
}

function eventsOf(
  config: Extract<ServerCiConfig, { kind: "woodpecker" }>,
  { forge, target }: From,
): () => Promise<readonly WoodpeckerEvent[]> {
  const { events = [] } = config;
  if (events.length > 0) return async () => events;
  const protection = requiredOf({ forge, target, contexts: [], now: () => systemClock.now() });
  return async () => {
    const contexts = await protection();
    const problem = missingRequirement(config, { target, protection: contexts, seen: [] });
    if (problem === undefined) return eventsIn(contexts);
    throw new OperationError(`cannot judge by Woodpecker: ${problem}`, { code: "config-missing" });
  };
}

/** Tells each caller what is missing, instead of keeping the project from starting. */
function failing(problem: string, hint: string): Verdicts {
  return {
    verdict: async () => {
      throw new OperationError(`cannot ask Woodpecker: ${problem}`, {
        code: "config-missing",
        hint,
      });
    },
  };
}

/** `owner/name` of the remote: the last two parts of its path. */
function repositoryOf(upstream: Project["upstream"]): string | undefined {
  if (upstream.kind === "local") return undefined;
  return /([^/:]+\/[^/:]+?)(?:\.git)?\/*$/.exec(upstream.url)?.[1];
}

function toldIn(store: Store, project: ProjectName): ToldRuns {
  const collection = `ci-server/${project}`;
  return {
    get: async (commit) => (await store.records.get<ToldRun>(collection, commit))?.value,
    put: (commit, told) => store.transaction((tx) => tx.records.put(collection, commit, told)),
  };
}
