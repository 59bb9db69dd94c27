// The gateway of a life that is about to start: its keys, what its run may spend, which hosts it may
// reach. Without keys and without a list of hosts there is none.
import type { Terms } from "../../core/gateway/meter.ts";
import { NOTHING } from "../../core/budget.ts";
import { allowedHosts, type Run } from "../../core/run/run.ts";
import {
  SOCKETS_INSIDE,
  type PreparedGateway,
  type ProviderName,
} from "../../ports/session-gateway.ts";
import type { EffectContext } from "./executor.ts";

/** Where the configuration is older than this setting. */
const RETRY_DEFAULT_MS = 15 * 60_000;

/** What the agent is started with. */
export type Gateway = PreparedGateway & {
  /** What the walls must let it see; undefined where it needs no socket. */
  sockets: { from: string; at: string } | undefined;
  /** Whose models it leads to. */
  providers: readonly ProviderName[];
  /** The agent's environment without keys, and with the way to the gateway. */
  around: (env: Record<string, string>) => Record<string, string>;
};

export const hasGateway = ({ config }: Run): boolean =>
  config.gateway !== undefined || reachable(config.isolation) !== undefined;

/** Undefined where the network is not the gateway's affair. */
const reachable = (isolation: Run["config"]["isolation"]): string[] | undefined =>
  isolation?.mode === "bwrap" && isolation.network === "hosts" ? isolation.hosts : undefined;

export function hostsOf(run: Run): string[] {
  return [...(reachable(run.config.isolation) ?? []), ...allowedHosts(run)];
}

export const termsOf = ({ config, spending, closed }: Run): Terms => ({
  budget: config.budget?.run,
  from: spending?.from ?? NOTHING,
  closed,
});

const same = (argv: readonly string[]): string[] => [...argv];
const NONE: Gateway = {
  giveKeys: async () => {},
  inside: same,
  outside: same,
  env: {},
  sockets: undefined,
  providers: [],
  around: (env) => env,
};

export async function openGateway(
  run: Run,
  epoch: number,
  { ports, paths, project }: Pick<EffectContext, "ports" | "paths" | "project">,
): Promise<Gateway> {
  if (!hasGateway(run)) return NONE;
  const { config } = run;
  const keys = await ports.modelKeys(config.gateway?.keys ?? []);
  const { mode, network } = config.isolation ?? { mode: "none", network: "open" };
  const isApart = mode === "bwrap" && network !== "open";
  const from = paths.sockets(project, run.id, epoch);
  const prepared = await ports.gateway.prepare({
    dir: paths.session(project, run.id, epoch),
    folder: paths.gateway(project, run.id, epoch),
    sockets: from,
    limits: paths.keyLimits,
    keys,
    spent: run.spending?.total ?? NOTHING,
    terms: termsOf(run),
    prices: config.prices ?? {},
    retryMs: config.agent.limit?.retryMs ?? RETRY_DEFAULT_MS,
    hosts: reachable(config.isolation) === undefined ? undefined : hostsOf(run),
    isApart,
  });
  const secrets = new Set(keys.map(({ secret }) => secret));
  return {
    ...prepared,
    sockets: isApart ? { from, at: SOCKETS_INSIDE } : undefined,
    providers: keys.map(({ provider }) => provider),
    around: (env) => without(secrets, { ...env, ...prepared.env }),
  };
}

/** After a life, or where its start failed: no key and no socket is left behind. */
export async function closeGateway(
  run: Run,
  epoch: number,
  { ports, paths, project }: Pick<EffectContext, "ports" | "paths" | "project">,
): Promise<void> {
  if (!hasGateway(run)) return;
  const folder = paths.gateway(project, run.id, epoch);
  await ports.gateway.close({ folder, sockets: paths.sockets(project, run.id, epoch) });
}

/** Whatever a variable is called: where it holds a key, or is emptied, the agent does not have it. */
const without = (
  secrets: ReadonlySet<string>,
  env: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== "" && !secrets.has(value)),
  );
