// Brings a state that an older version wrote to this version's shape: what is missing gets the
// value a new one would begin with. A stage that this version does not know is put before a person,
// never skipped. Nothing that is there is changed but names that this version has other words for.
import { isObject } from "../lib/json-object.ts";
import { accountOf } from "./agent-choice.ts";
import type { AgentConfig, ProjectConfig } from "./config.ts";
import type { Effect } from "./effect.ts";
import { openQueue } from "./merge-queue/step-queue.ts";
import type { Entry, PastEntry, Queue } from "./merge-queue/queue.ts";
import type { AccountLimit, Project } from "./project/project.ts";
import { requestRun } from "./run/request.ts";
import { issueOf, titleOf, type Run, type IssueWork } from "./run/run.ts";
import { STAGES, withFetch, type Stage } from "./run/stage.ts";
import { newEvidence } from "./session/evidence.ts";
import type { Session } from "./session/session.ts";
import type { AggregateState } from "./step.ts";
import { VAULT_STAGES, type VaultItem } from "./vault/item.ts";

/** `config`: what a configuration that says nothing means to this version. */
export type Known = { at: number; config: ProjectConfig };

/** The very same object where there is nothing to do. */
export function upgradeState(state: AggregateState, known: Known): AggregateState {
  switch (state.kind) {
    case "run":
      return upgradeRun(state, known);
    case "queue":
      return upgradeQueue(state);
    case "mail":
    case "formula":
    case "patrol":
    case "plugin":
    case "reviews":
    case "gate":
    case "action":
    case "schedule":
      return state;
    case "vault":
      return upgradeVault(state, known);
    case "project":
      return fill(withAccounts(withSettings(state)), {
        leaving: [],
        tasks: [],
        ...(state.config === undefined ? {} : { config: known.config }),
      });
    default:
      // Of a kind that only another version knows (unknown-state.ts).
      return state;
  }
}

function upgradeRun(older: Run, known: Known): Run {
  const run = withStage(withExitTime(withSettings(withWork(older))));
  const filled = fill(run, newRun(run, known));
  const { session } = filled;
  const whole = session === undefined ? session : fill(session, SESSION);
  const next = whole === session ? filled : { ...filled, session: whole };
  return STAGES.has(next.stage.kind) ? next : { ...next, stage: unknownStage(next.stage, known) };
}

/** Before there were tasks, every run had an issue. */
function withWork(older: Run): Run {
  if (older.work !== undefined) return older;
  const { issue, ...run } = older as Run & { issue: Omit<IssueWork, "kind"> };
  return { ...run, work: { kind: "issue", ...issue } };
}

/** Settings of a runtime once stood under its name, with the model among them. */
function withSettings<T extends { config: ProjectConfig | undefined }>(older: T): T {
  const { config } = older;
  if (config === undefined) return older;
  const limits = renamed(config.limits, "farewellMs", "exitMs");
  if (limits !== config.limits) return withSettings({ ...older, config: { ...config, limits } });
  const { [config.agent.runtime]: own, ...rest } = config.agent as Record<string, unknown>;
  if (!isObject(own)) return older;
  const { model, ...settings } = own;
  const agent = { ...rest, settings, ...(model === undefined ? {} : { model }) } as AgentConfig;
  return { ...older, config: { ...config, agent } };
}

/** There was one limit, that of the account of the project's own agent. */
function withAccounts(older: Project): Project {
  if (!Object.hasOwn(older, "limited")) return older;
  const { limited, ...project } = older as Project & { limited: AccountLimit | undefined };
  if (limited === undefined || project.config === undefined) return project;
  return { ...project, accounts: { [accountOf(project.config.agent)]: limited } };
}

function withExitTime(run: Run): Run {
  if (run.stage.kind !== "landed") return run;
  const stage = renamed(run.stage, "farewellAt", "exitBy");
  return stage === run.stage ? run : { ...run, stage };
}

/** The fetch of a branch once stood beside the stage. */
function withStage(older: Run): Run {
  if (!Object.hasOwn(older, "fetching")) return older;
  const { fetching, ...run } = older as Run & { fetching: number | undefined };
  if (fetching === undefined || run.outcome !== undefined) return run;
  return { ...run, stage: withFetch(run.stage, fetching) };
}

/** The very same object where the old name is not there. */
function renamed<T extends object>(value: T, from: string, to: keyof T & string): T {
  if (!Object.hasOwn(value, from)) return value;
  const { [from]: kept, ...rest } = value as Record<string, unknown>;
  return { ...rest, [to]: kept } as T;
}

/** An effect that waits under a name that it had in an older version. */
const OLD_EFFECTS: Record<string, Effect> = { "mend-leftovers": { kind: "fix-leftovers" } };

/** Undefined where there is nothing to do. */
export const upgradeEffect = ({ kind }: Effect): Effect | undefined =>
  Object.hasOwn(OLD_EFFECTS, kind) ? OLD_EFFECTS[kind] : undefined;

/** What this version would begin the same run with. */
function newRun(run: Run, { config }: Known): Partial<Run> {
  const { counts, hook, longestPauseMs, warnings, messages, crashes } = requestRun({
    kind: "run-requested",
    at: run.requestedAt,
    project: run.project,
    run: run.id,
    issue: issueOf(run) ?? 0,
    title: titleOf(run),
    attempt: run.attempt,
    lastEpoch: run.epoch,
    slot: run.slot,
    config,
  });
  return { counts, hook, longestPauseMs, warnings, messages, crashes, config };
}

const SESSION: Partial<Session> = {
  attached: false,
  spoke: false,
  unended: false,
  evidence: newEvidence(),
};

function unknownStage(stage: Stage, { at, config }: Known): Stage {
  const { kind } = stage as { kind: string };
  return {
    kind: "escalated",
    escalation: {
      reason: `another version of Pawl left this run in stage "${kind}", which this one does not know`,
      since: at,
      remindAt: at + config.limits.escalationReminderMs,
      deadline: at + config.limits.escalationTimeoutMs,
      again: undefined,
      unreviewed: undefined,
      question: undefined,
    },
  };
}

/** It does nothing more before a person has decided. */
function upgradeVault(item: VaultItem, { at }: Known): VaultItem {
  const { kind } = item.stage as { kind: string };
  if (VAULT_STAGES.has(kind)) return item;
  const why = `another version of Pawl left it in stage "${kind}", which this one does not know`;
  const stage = { kind: "unsure", attempt: 1, why, deadline: at + item.expiresMs } as const;
  return { ...item, stage, log: [...item.log, { at, text: why }] };
}

function upgradeQueue(queue: Queue): Queue {
  const filled = fill(queue, openQueue({ kind: "queue-opened", at: 0, project: queue.project }));
  const entries = filled.entries.map((entry) => fill(entry, ENTRY));
  const past = filled.past.map((entry) => fill<PastEntry>(entry, ENTRY));
  const same =
    entries.every((entry, index) => entry === filled.entries[index]) &&
    past.every((entry, index) => entry === filled.past[index]);
  return same ? filled : { ...filled, entries, past };
}

const ENTRY: Partial<Entry> = {
  after: [],
  surveyed: false,
  worked: false,
  changesPolicy: false,
  solo: false,
  troubles: 0,
  holds: 0,
};

/** Adds what is missing, also deeper down; the very same object where nothing is. */
function fill<T extends object>(value: T, defaults: Partial<T>): T {
  let filled = value;
  for (const [key, wanted] of Object.entries(defaults) as [keyof T, T[keyof T]][]) {
    const found = filled[key];
    const next = found === undefined ? wanted : deeper(found, wanted);
    if (next !== found) filled = { ...filled, [key]: next };
  }
  return filled;
}

const deeper = <T>(found: T, wanted: T): T =>
  isObject(found) && isObject(wanted) ? (fill(found, wanted) as T) : found;
