// The configuration that tests start from: every default as pawl.toml would give it.
import type { ProjectConfig } from "../../src/core/config.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const testConfig = (): ProjectConfig => ({
  name: "toy",
  target: "main",
  parallel: 3,
  stateDir: undefined,
  agent: { runtime: "command", command: ["sh", "agent.sh"], passEnv: [], env: {} },
  ci: {
    gates: [{ name: "test", command: "sh test.sh", timeoutMs: 30 * MINUTE_MS }],
    none: false,
    setup: undefined,
    keep: [],
    history: false,
    slots: 1,
  },
  review: { required: false },
  merge: { strategy: "rebase", lanes: 1 },
  workspace: {
    setup: undefined,
    teardown: undefined,
    timeoutMs: 5 * MINUTE_MS,
    copy: [],
    ports: undefined,
  },
  git: { sign: false, author: undefined },
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
    lifeMs: 48 * HOUR_MS,
    idleCheckMs: 10_000,
    staleMs: 5 * MINUTE_MS,
    handOffMs: MINUTE_MS,
    contextMedium: 70,
    contextHigh: 80,
    unreadMs: 10 * MINUTE_MS,
  },
});
