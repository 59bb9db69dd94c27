// From the file as it is written (snake case, sections) to the configuration as the core sees it.
// Defaults are the schema's; only those that depend on other keys are decided here.
import type { ChannelConfig } from "../core/channel.ts";
import type { VaultConfig } from "../core/vault/policy.ts";
import type {
  CiConfig,
  ForgeConfig,
  IsolationConfig,
  Limits,
  PatrolConfig,
  Prices,
  ProjectConfig,
  RoomLimits,
  ServerCiConfig,
  WorkspaceConfig,
} from "../core/config.ts";
import type { TriageRules } from "../core/patrol/triage.ts";
import type { Schedule } from "../core/schedule/schedule.ts";
import { RUNTIMES } from "../adapters/runtimes.ts";
import { completeAgent, completeChoices } from "./complete-agents.ts";
import type { WrittenConfig } from "./schema.ts";

const CI_TIMEOUT_DEFAULT_MS = 30 * 60 * 1000;

export function completeConfig(written: WrittenConfig): ProjectConfig {
  const { project, review, merge, git } = written;
  const ci = completeCi(written.ci);
  const checkpoints = completeCheckpoints(written.checkpoints);
  const forge = completeForge(written.forge);
  const choices = completeChoices(written.agent);
  const strategy = merge.strategy ?? (forge === undefined ? "rebase" : "merge");
  return {
    name: project.name,
    target: project.target,
    parallel: project.parallel,
    stateDir: project.state_dir,
    agent: completeAgent(written.agent),
    ...(choices === undefined ? {} : { agents: choices }),
    ci,
    ...(forge === undefined ? {} : { forge }),
    ...(written.trust === undefined ? {} : { trust: written.trust }),
    review: completeReview(review),
    merge: { ...merge, strategy, ...completeQueue(written.merge_queue) },
    workspace: completeWorkspace(written.workspace),
    ...(written.gateway === undefined ? {} : { gateway: written.gateway }),
    ...(written.isolation === undefined ? {} : { isolation: completeIsolation(written.isolation) }),
    git: {
      sign: git.sign,
      author: splitAuthor(git.author),
      ...(git.submodules ? {} : { submodules: false as const }),
    },
    ...(checkpoints === undefined ? {} : { checkpoints }),
    limits: completeLimits(written.limits, ci),
    ...(written.patrol === undefined ? {} : { patrol: completePatrol(written.patrol) }),
    ...(written.schedule === undefined ? {} : { schedules: completeSchedules(written.schedule) }),
    ...(written.budget === undefined ? {} : { budget: written.budget }),
    ...(written.price === undefined ? {} : { prices: completePrices(written.price) }),
    ...(written.monitoring === undefined
      ? {}
      : { monitoring: { smallModel: written.monitoring.small_model } }),
    ...(written.vault === undefined ? {} : { vault: completeVault(written.vault) }),
    ...(written.notify === undefined ? {} : { notify: completeNotify(written.notify) }),
  };
}

const completeIsolation = ({
  tmp_mb: tmpMb,
  limits,
  ...rest
}: NonNullable<WrittenConfig["isolation"]>): IsolationConfig => ({
  ...rest,
  tmpMb,
  ...(limits === undefined ? {} : { limits: completeRoomLimits(limits) }),
});

const completeRoomLimits = ({
  memory_mb: memoryMb,
  processes,
  cpus,
  file_mb: fileMb,
}: NonNullable<NonNullable<WrittenConfig["isolation"]>["limits"]>): RoomLimits => ({
  ...(memoryMb === undefined ? {} : { memoryMb }),
  ...(processes === undefined ? {} : { processes }),
  ...(cpus === undefined ? {} : { cpus }),
  ...(fileMb === undefined ? {} : { fileMb }),
});

function completeCheckpoints({
  push,
  file_mb: fileMb,
}: WrittenConfig["checkpoints"]): ProjectConfig["checkpoints"] {
  if (push === undefined && fileMb === undefined) return undefined;
  return {
    ...(push === undefined ? {} : { push }),
    ...(fileMb === undefined ? {} : { fileMb }),
  };
}

function completeForge(forge: WrittenConfig["forge"]): ForgeConfig | undefined {
  if (forge === undefined || forge.kind === "builtin") return undefined;
  const [owner = "", repo = ""] = (forge.repo ?? "").split("/");
  const {
    kind,
    url = "https://github.com",
    operators,
    webhook,
    timeout,
    adopt_after: adoptAfterMs,
  } = forge;
  return {
    kind,
    url,
    owner,
    repo,
    ...(operators === undefined ? {} : { operators }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(adoptAfterMs === undefined ? {} : { adoptAfterMs }),
    ...(webhook === undefined ? {} : { webhook: splitAddress(webhook.listen) }),
  };
}

const completePrices = (written: NonNullable<WrittenConfig["price"]>): Prices =>
  Object.fromEntries(
    written.map(({ model, input, output, cache_read: cacheRead, cache_write: cacheWrite }) => [
      model,
      { input, output, cacheRead, cacheWrite },
    ]),
  );

const completePatrol = (patrol: NonNullable<WrittenConfig["patrol"]>): PatrolConfig => ({
  enabled: patrol.enabled,
  deaconMs: patrol.deacon,
  witnessMs: patrol.witness,
  memoryMb: patrol.memory_mb,
  ...(patrol.triage === undefined ? {} : { triage: completeTriage(patrol.triage) }),
});

const completeTriage = ({
  per_day: perDay,
  model,
}: NonNullable<NonNullable<WrittenConfig["patrol"]>["triage"]>): TriageRules => ({
  perDay,
  ...(model === undefined ? {} : { model }),
});

function completeReview(review: WrittenConfig["review"]): ProjectConfig["review"] {
  const { required, role, model, parallel, diff_bytes: diffMaxBytes, docs, idle } = review;
  const own = { required, ...(review.journals === "review" ? { journals: true as const } : {}) };
  const instructions = RUNTIMES.flatMap((runtime) => runtime.instructions ?? []);
  if (!role) return required ? { ...own, instructions } : own;
  const how = { model, parallel, diffMaxBytes, docs, instructions, idleMs: idle };
  return { ...own, role: how };
}

/** What an agent and its tests need to start with. */
const SCHEDULE_MEMORY_MB = 2000;

/** The supervisor is what reports that memory is low: its first steps need no agent. */
function completeSchedules(written: NonNullable<WrittenConfig["schedule"]>): Schedule[] {
  return Object.entries(written).map(([name, one]) => ({
    name,
    when:
      one.every === undefined
        ? { kind: "cron", pattern: one.cron ?? "", timeZone: one.tz }
        : { kind: "every", everyMs: one.every },
    work:
      one.role === undefined
        ? { kind: "formula", formula: one.formula ?? "" }
        : { kind: "role", role: one.role },
    enabled: one.enabled,
    jitterMs: one.jitter ?? 0,
    leaseMs: one.lease,
    memoryMb: one.memory_mb ?? (one.role === "supervisor" ? 0 : SCHEDULE_MEMORY_MB),
  }));
}

function splitAddress(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(":");
  return { host: listen.slice(0, at).replaceAll(/[[\]]/g, ""), port: Number(listen.slice(at + 1)) };
}

function completeCi(ci: WrittenConfig["ci"]): CiConfig {
  const { setup, timeout: timeoutMs, keep, history, slots } = ci;
  const single = ci.command === undefined ? [] : [{ name: "test", command: ci.command, timeoutMs }];
  const gates = ci.gates?.map(({ name, command, timeout, report }) => {
    const gate = { name, command, timeoutMs: timeout ?? timeoutMs };
    return report === undefined ? gate : { ...gate, report };
  });
  const server = completeServer(ci);
  return {
    gates: gates ?? single,
    ...(server === undefined ? {} : { server }),
    none: ci.none ?? false,
    setup: setup === undefined ? undefined : { command: setup, timeoutMs },
    keep,
    history,
    slots,
    ...(ci.sparse === undefined ? {} : { sparse: ci.sparse }),
  };
}

function completeServer(ci: WrittenConfig["ci"]): ServerCiConfig | undefined {
  const { server: kind, contexts = [], woodpecker, timeout: timeoutMs, poll: pollMs } = ci;
  if (kind === "builtin") return undefined;
  if (kind === "forge") return { kind, contexts, timeoutMs, pollMs };
  const { url, repo, events } = woodpecker ?? {};
  return { kind, url, repo, timeoutMs, pollMs, ...(events === undefined ? {} : { events }) };
}

function completeWorkspace(workspace: WrittenConfig["workspace"]): WorkspaceConfig {
  const { setup, teardown, timeout, copy, ports_first: first, ports_count: count } = workspace;
  const ports = first === undefined || count === undefined ? undefined : { first, count };
  const { keep_days: keepDays, sparse } = workspace;
  const kept = keepDays === undefined ? {} : { keepDays };
  const only = sparse === undefined ? {} : { sparse };
  return { setup, teardown, timeoutMs: timeout, copy, ports, ...only, ...kept };
}

function splitAuthor(author: string | undefined): { name: string; email: string } | undefined {
  if (author === undefined) return undefined;
  const open = author.lastIndexOf("<");
  return { name: author.slice(0, open).trim(), email: author.slice(open + 1, -1) };
}

function completeVault(written: NonNullable<WrittenConfig["vault"]>): VaultConfig {
  const { expires: expiresMs, risk, reversible, secrets } = written;
  const policy = written.policy.map(({ type, risk: most, reversible: undone, decide }) => ({
    ...(type === undefined ? {} : { type }),
    ...(most === undefined ? {} : { risk: most }),
    ...(undone === undefined ? {} : { reversible: undone }),
    decide,
  }));
  return { expiresMs, risk, reversible, secrets, policy };
}

function completeNotify(channels: NonNullable<WrittenConfig["notify"]>): ChannelConfig[] {
  return channels.map((channel) => {
    const { kind, name, severity, fold: foldMs, timeout: timeoutMs, command } = channel;
    const { url_env: urlEnv, token_env: tokenEnv, daily_summary: summaryAt } = channel;
    return {
      kind,
      name: name ?? kind,
      severity,
      foldMs,
      timeoutMs,
      ...(urlEnv === undefined ? {} : { urlEnv }),
      ...(tokenEnv === undefined ? {} : { tokenEnv }),
      ...(command === undefined ? {} : { command }),
      ...(summaryAt === undefined ? {} : { summaryAt }),
    };
  });
}

const completeQueue = ({
  protected: patterns = [],
  resolve,
}: Partial<NonNullable<WrittenConfig["merge_queue"]>> = {}): Pick<
  ProjectConfig["merge"],
  "protected" | "resolve"
> => ({
  ...(patterns.length === 0 ? {} : { protected: patterns }),
  ...(resolve === undefined ? {} : { resolve }),
});

function completeLimits(limits: WrittenConfig["limits"], ci: CiConfig): Limits {
  // A gate that may take longer than the limit would be given up on before its own timeout.
  const longestMs = Math.max(CI_TIMEOUT_DEFAULT_MS, ...ci.gates.map(({ timeoutMs }) => timeoutMs));
  return {
    ciFixesMax: limits.ci_fixes,
    reviewRoundsMax: limits.review_rounds,
    conflictsMax: limits.conflicts,
    nudgesMax: limits.nudges,
    branchMaxMb: limits.branch_mb,
    crashesMax: limits.crashes,
    crashWindowMs: limits.crash_window,
    ciTimeoutMs: limits.ci_timeout ?? longestMs,
    reviewTimeoutMs: limits.review_timeout,
    escalationReminderMs: limits.escalation_reminder,
    escalationTimeoutMs: limits.escalation_timeout,
    exitMs: limits.farewell,
    graceMs: limits.grace,
    quietWarningMs: limits.quiet_warning,
    stuckMs: limits.stuck,
    lifeMs: limits.life,
    actionLifeMs: limits.action_life,
    actionIdleMs: limits.action_idle,
    idleCheckMs: limits.idle_check,
    staleMs: limits.stale,
    handOffMs: limits.hand_off,
    contextMedium: limits.context_medium,
    contextHigh: limits.context_high,
    unreadMs: limits.unread,
  };
}
