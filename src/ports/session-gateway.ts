// What stands between a session and everything outside: a gateway to its model, which holds the key,
// and a proxy that passes on connections to allowed hosts. Both are one process of the session,
// outside its walls: it outlives the daemon, starts before the agent and ends with it. Where it is
// dead nothing is reached, because the session has no other way out.
import type { Terms } from "../core/gateway/meter.ts";
import type { Spent } from "../core/budget.ts";
import type { Prices } from "../core/config.ts";
import type { UsageRow } from "../core/usage.ts";

/** The vendors whose APIs it speaks. */
export const PROVIDER_NAMES = ["anthropic", "openai", "gemini"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export type ModelKey = {
  /** Sessions that use the key of one name share its limits. */
  name: string;
  provider: ProviderName;
  /** Undefined: the vendor's own. */
  url: string | undefined;
  secret: string;
};

/** Where a session finds the sockets of its gateway, and nothing else of it. */
export const SOCKETS_INSIDE = "/run/pawl";

export type GatewayRequest = {
  /** The epoch's folder: reports go into its spool. */
  dir: string;
  /** Of this life, and not visible to the agent: what it has used, and what it may do. */
  folder: string;
  /** A folder with a short path, for sockets; `SOCKETS_INSIDE` inside the walls. */
  sockets: string;
  /** Where the limits of keys are known to all sessions of the factory. */
  limits: string;
  /** None: the agent asks its model by itself. */
  keys: readonly ModelKey[];
  /** What the run has spent in earlier lives. */
  spent: Spent;
  terms: Terms;
  /** The user's own, which replace those of the list. */
  prices: Prices;
  /** For a limit that names no end. */
  retryMs: number;
  /** Hosts that may be reached; undefined: the network is not the gateway's affair. */
  hosts: readonly string[] | undefined;
  /** True where the session has no network of its own but a loopback: sockets are the only way out. */
  isApart: boolean;
};

export type PreparedGateway = {
  /**
   * The last thing before the command is run, which takes the keys: they wait on the disk meanwhile.
   * Safe to repeat; a life that has begun has its keys.
   */
  giveKeys: () => Promise<void>;
  /** The agent's command as it runs inside the walls. */
  inside: (argv: readonly string[]) => string[];
  /** The command of the walls as it runs outside of them. */
  outside: (argv: readonly string[]) => string[];
  /** Of the agent. An empty value: the variable is taken from it. */
  env: Record<string, string>;
};

export type SessionGateway = {
  /** Before every start. Safe to repeat for one folder. */
  prepare(request: GatewayRequest): Promise<PreparedGateway>;
  /** For a living session: takes effect with its next request. Safe to repeat. */
  steer(request: { folder: string; terms: Terms; hosts: readonly string[] }): Promise<void>;
  /** After a life, or a start that failed: its sockets go, and keys that were not taken. Safe to repeat. */
  close(life: { folder: string; sockets: string }): Promise<void>;
  /** What the life has used, exactly; undefined where it has no gateway to its model. */
  usage(folder: string): Promise<UsageRow[] | undefined>;
};
