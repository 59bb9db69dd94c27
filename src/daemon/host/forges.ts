// Which forge a project has, and with which accounts it is spoken to. Only here and in wire.ts are
// adapters known; tokens go from the environment into an adapter and nowhere else.
import { setTimeout as wait } from "node:timers/promises";
import { createBuiltinForge } from "../../adapters/forge-builtin/builtin-forge.ts";
import type { RepositoryOptions } from "../../adapters/shared/forge/connection.ts";
import type { RateLimits } from "../../adapters/shared/http-rate-limit.ts";
import type { GitOptions } from "../../adapters/git-cli/context.ts";
import type { ForgeConfig, ProjectConfig } from "../../core/config.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { ForgeInspection } from "../../ports/forge-inspection.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Store } from "../../ports/store.ts";
import { refusingForge } from "./refusing-forge.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The variables that hold a token, ours and those of older set-ups: the first that is set counts. One
 * that names its forge is given to no other.
 */
function namesFor({ kind, url }: ForgeConfig): string[] {
  const isCodeberg = new URL(url).hostname === "codeberg.org";
  const own = kind === "github" ? ["GITHUB_TOKEN"] : ["GITEA_TOKEN"];
  return ["FORGE_TOKEN", ...(isCodeberg ? ["CODEBERG_TOKEN"] : []), ...own];
}

const REVIEW_NAMES = ["FORGE_REVIEW_TOKEN", "REVIEW_BOT_TOKEN"];

/** Loaded only where a forge is spoken to over a network. */
const proxy = () => import("./use-proxy.ts");

type Token = { value: string; name: string };

/** The accounts a forge is spoken to with; where there is no token, why nothing can be said. */
export type Tokens = { dev: Token | OperationError; review: Token | undefined };

export async function findTokens(config: ForgeConfig, secrets: Secrets): Promise<Tokens> {
  try {
    const dev = await findToken(namesFor(config), secrets);
    return { dev: dev ?? noToken(config), review: await findToken(REVIEW_NAMES, secrets) };
  } catch (error) {
    if (error instanceof OperationError) return { dev: error, review: undefined };
    throw error;
  }
}

async function findToken(names: readonly string[], secrets: Secrets): Promise<Token | undefined> {
  for (const name of names) {
    const value = (await secrets(name))?.trim();
    if (value !== undefined && value !== "") return { value, name };
  }
  return undefined;
}

type Wanted = {
  project: ProjectName;
  config: ProjectConfig;
  store: Store;
  tokens: Tokens | undefined;
  /** Tells this factory from others on the same forge. */
  factory: () => Promise<{ id: string; home: string }>;
  now: () => number;
  crash: CrashPoint;
  /** Of this factory's accounts, which several projects may use; one of its own where none is given. */
  rateLimits?: RateLimits;
};

/** The tracker of a project without a forge: its issues are in the journal. */
export const ownTracker = createBuiltinForge;

export async function createForge(wanted: Wanted): Promise<Forge> {
  const { project, config, store, tokens, factory, now, crash, rateLimits } = wanted;
  const { forge } = config;
  if (forge === undefined || tokens === undefined)
    return createBuiltinForge({ store, project, now });
  const { dev: token, review: reviewToken } = tokens;
  // Agents, checkpoints and the queue continue without a forge.
  if (token instanceof OperationError) return refusingForge(token);
  const own = adapterOptions(forge, { token, reviewToken }, { factory, now, crash, rateLimits });
  await (await proxy()).useProxy();
  // Not loaded where it is not used: commands that read are felt to start.
  if (forge.kind === "gitea") {
    const { createGiteaForge } = await import("../../adapters/forge-gitea/gitea-forge.ts");
    return createGiteaForge(own);
  }
  const { createGithubForge } = await import("../../adapters/forge-github/github-forge.ts");
  return createGithubForge(own);
}

function adapterOptions(
  { url, owner, repo, timeoutMs }: ForgeConfig,
  { token, reviewToken }: { token: Token; reviewToken: Token | undefined },
  from: Pick<RepositoryOptions, "factory" | "now" | "crash" | "rateLimits">,
) {
  const waitFor = async (ms: number): Promise<void> => wait(ms);
  const secrets = [token.value, reviewToken?.value ?? ""];
  return { url, owner, repo, timeoutMs, token, reviewToken, wait: waitFor, secrets, ...from };
}

/** A look before anything is set up, with accounts that were found; changes nothing. */
export async function inspectForge(
  forge: ForgeConfig,
  tokens: { token: Token; reviewToken: Token | undefined },
  from: Pick<Wanted, "now" | "crash"> & {
    target: string;
    prepare: false | { showMerges: boolean };
  },
): Promise<ForgeInspection> {
  const { now, crash } = from;
  await (await proxy()).useProxy();
  const own = adapterOptions(forge, tokens, {
    factory: async () => ({ id: "init", home: "" }),
    now,
    crash,
  });
  if (forge.kind === "github") {
    const github = await import("../../adapters/forge-github/inspect.ts");
    if (from.prepare !== false) await github.prepareGithub(own);
    return github.inspectGithub(own, from.target);
  }
  const { inspectGitea, prepareGitea } = await import("../../adapters/forge-gitea/inspect.ts");
  if (from.prepare !== false) await prepareGitea(own, from.prepare);
  return inspectGitea(own, from.target);
}

/** The header git sends to the forge; only where git speaks to it over HTTP. */
export function gitAccess(
  forge: ForgeConfig | undefined,
  tokens: Tokens | undefined,
  upstream: GitOptions["upstream"],
): GitOptions["access"] {
  const token = tokens?.dev;
  if (forge === undefined || token === undefined || token instanceof OperationError) {
    return undefined;
  }
  if (upstream.kind !== "remote" || !isBelow(upstream.url, forge.url)) return undefined;
  // The name beside a token is not looked at, but has to be there.
  const basic = Buffer.from(`pawl:${token.value}`).toString("base64");
  return { url: forge.url, header: `Authorization: Basic ${basic}` };
}

const isBelow = (url: string, forge: string): boolean =>
  url.startsWith(`${forge.replace(/\/+$/, "")}/`);

const noToken = (forge: ForgeConfig): OperationError =>
  new OperationError(`there is no token for ${forge.url}`, {
    code: "no-token",
    hint: `set FORGE_TOKEN in the daemon's environment, or in .env in PAWL_HOME (chmod 600); \`pawl init\` says what it must be allowed`,
  });
