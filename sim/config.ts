// The configuration of the simulated projects: the defaults of pawl.toml with shorter caps, so that
// a simulation reaches every deadline.
import type { ForgeConfig, ProjectConfig } from "../src/core/config.ts";
import { choreSchedule } from "./chore.ts";
import { roleSchedules } from "./roles.ts";
import { VAULT_DEFAULTS } from "../src/core/vault/policy.ts";
import { CONTEXTS } from "./ci-server.ts";
import { hasCiServer, type Options } from "./options.ts";
import { severalAgents } from "./several-agents.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const configs = new WeakMap<Options, ProjectConfig>();

/** In tokens; an agent uses some thousands for each step of its work. A tight one is often spent. */
const BUDGET = { run: { tokens: 150_000 }, day: { tokens: 500_000 } };
const TIGHT_BUDGET = { ...BUDGET, run: { tokens: 30_000 } };

export const budgetOf = ({ tight }: Options): typeof BUDGET =>
  tight === true ? TIGHT_BUDGET : BUDGET;

/** Who may instruct, where there is a forge. */
export const FORGE_OWNER = "ann";

/** Who may read and comment, and nothing else. */
export const STRANGER = "eve";

/** Letters that the rules do not know are put before a model, a few times a day. */
export const TRIAGE_PER_DAY = 3;
const PATROL = {
  enabled: true,
  deaconMs: 2 * MINUTE_MS,
  witnessMs: 5 * MINUTE_MS,
  triage: { perDay: TRIAGE_PER_DAY },
};

/** Only who may answer there counts: the fake forge is the same with and without it. */
const FORGE: ForgeConfig = {
  kind: "gitea",
  url: "https://forge.example.org",
  owner: FORGE_OWNER,
  repo: "sim",
  operators: ["ann"],
};

/** The same object every time: what did not change is not compared field by field. */
export function configOf(options: Options): ProjectConfig {
  const known = configs.get(options);
  if (known !== undefined) return known;
  const plain = makeConfig(options);
  const config = options.agents === true ? severalAgents(plain) : plain;
  configs.set(options, config);
  return config;
}

export const POLICY_FILE = "pawl.toml";
export const BROKEN = "this is no TOML";

const editions = new WeakMap<Options, Map<string, ProjectConfig>>();

/** What people wrote into pawl.toml; undefined where it is invalid. Without one the defaults count. */
export function configIn(options: Options, text: string | undefined): ProjectConfig | undefined {
  if (text === BROKEN) return undefined;
  const edition = /^edition = (\d+)$/.exec(text ?? "")?.[1];
  if (edition === undefined) return configOf(options);
  const all = editions.get(options) ?? new Map<string, ProjectConfig>();
  editions.set(options, all);
  const known = all.get(edition) ?? editionOf(configOf(options), edition);
  all.set(edition, known);
  return known;
}

/** Each edition has gates of its own, as far as it has any. */
const editionOf = (config: ProjectConfig, edition: string): ProjectConfig => ({
  ...config,
  ci: {
    ...config.ci,
    gates: config.ci.gates.map((gate) => ({ ...gate, name: `${gate.name}-${edition}` })),
  },
});

const mergeOf = ({ strategy, lanes, resolver }: Options): ProjectConfig["merge"] => ({
  strategy,
  lanes,
  ...(resolver === true ? { resolve: ["fake-resolver", "{file}"] } : {}),
});

const makeConfig = (options: Options): ProjectConfig => ({
  name: "sim",
  target: "main",
  parallel: options.parallel,
  stateDir: undefined,
  agent: {
    runtime: "command",
    command: ["agent"],
    passEnv: [],
    env: {},
    // In half of the simulations people want to be asked before work goes on.
    limit: { ask: options.issues % 2 === 1, retryMs: 15 * MINUTE_MS },
  },
  ci: {
    ...ciOf(options),
    none: false,
    setup: undefined,
    keep: [],
    history: false,
    slots: 2,
  },
  review: { required: options.reviewRequired, ...reviewRole(options) },
  merge: mergeOf(options),
  workspace: {
    setup: undefined,
    teardown: undefined,
    timeoutMs: MINUTE_MS,
    copy: [],
    ports: undefined,
  },
  git: { sign: false, author: undefined },
  ...(options.chores ? { patrol: PATROL } : {}),
  ...schedulesOf(options),
  ...spendingOf(options),
  vault: { ...VAULT_DEFAULTS, policy: [{ type: "command", decide: "allow" }] },
  ...(options.operators === true ? { forge: FORGE } : {}),
  limits: {
    ciFixesMax: 3,
    reviewRoundsMax: 5,
    conflictsMax: 3,
    nudgesMax: 2,
    crashesMax: 3,
    crashWindowMs: HOUR_MS,
    ciTimeoutMs: 30 * MINUTE_MS,
    reviewTimeoutMs: 3 * HOUR_MS,
    escalationReminderMs: 6 * HOUR_MS,
    escalationTimeoutMs: 24 * HOUR_MS,
    exitMs: MINUTE_MS,
    graceMs: 10_000,
    quietWarningMs: 15 * MINUTE_MS,
    stuckMs: 2 * HOUR_MS,
    lifeMs: 8 * HOUR_MS,
    idleCheckMs: 10_000,
    staleMs: 5 * MINUTE_MS,
    handOffMs: MINUTE_MS,
    contextMedium: 70,
    contextHigh: 80,
    unreadMs: 10 * MINUTE_MS,
  },
});

const spendingOf = (options: Options): Pick<ProjectConfig, "budget" | "gateway"> => ({
  ...(options.budget === true ? { budget: budgetOf(options) } : {}),
  ...(options.gateway === true ? { gateway: { keys: ["sim"] } } : {}),
});

const GATES = [{ name: "test", command: "make test", timeoutMs: 30 * MINUTE_MS }];

/** A candidate of the queue is given long enough for a check that is slow, not for a lost one. */
function ciOf(options: Options): Pick<ProjectConfig["ci"], "gates" | "server"> {
  if (!hasCiServer(options)) return { gates: GATES };
  return {
    gates: options.ciServer === "alone" ? [] : GATES,
    server: { kind: "forge", contexts: [...CONTEXTS], timeoutMs: 3 * HOUR_MS, pollMs: MINUTE_MS },
  };
}

function schedulesOf({ chores, roles = false }: Options): Pick<ProjectConfig, "schedules"> {
  if (!chores && !roles) return {};
  return { schedules: [...(chores ? [choreSchedule()] : []), ...(roles ? roleSchedules() : [])] };
}

function reviewRole({ reviewRole: isOn }: Options): Pick<ProjectConfig["review"], "role"> {
  if (isOn !== true) return {};
  const idleMs = 30 * MINUTE_MS;
  return { role: { model: undefined, parallel: 2, diffMaxBytes: 25_000, docs: "review", idleMs } };
}
