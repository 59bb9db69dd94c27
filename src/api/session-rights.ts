// What a session may do with Pawl: the one list that the command line and the daemon both obey.
// A command that is not listed is refused inside a session, and so is a call that belongs to no
// listed command. A session reads, and reports about its own work through its own files; it decides
// nothing. `docs/agents.md` shows this list, and a test compares the two.

export type SessionRight = {
  /** As it is typed, without options. */
  command: string;
  /** What it asks of the daemon. Most of what an agent reports goes through its spool instead. */
  calls: readonly string[];
  /** Options that make it do more than a session may. */
  without?: readonly string[];
};

const reads = (command: string, ...calls: string[]): SessionRight => ({
  command,
  calls: calls.map((path) => `GET ${path}`),
});

/** It works on files of the session or of the current folder, and asks the daemon nothing. */
const local = (command: string): SessionRight => ({ command, calls: [] });

const OWN_WORK = ["phase", "hook set", "context report", "mail send", "mail reply", "mail ack"];

const FACTORY: SessionRight[] = [
  reads("status", "/v1/status", "/v1/ping", "/v1/changes"),
  reads("agents", "/v1/agents"),
  reads("costs", "/v1/costs"),
  reads("stats", "/v1/stats"),
  reads("history", "/v1/history"),
  reads("why", "/v1/why/:ref"),
  reads("signals", "/v1/signals", "/v1/changes"),
  reads("logs", "/v1/runs/:ref/log", "/v1/changes"),
  reads("diff", "/v1/runs/:ref/diff"),
  reads("hook show", "/v1/runs/:ref/hook"),
  reads("context usage", "/v1/agents"),
  reads("mail inbox", "/v1/mail"),
  reads("mail read", "/v1/mail/:id"),
  reads("escalation list", "/v1/escalations"),
  reads("escalation show", "/v1/escalations/:ref", "/v1/escalations/gate/:id"),
  reads("checkpoint list", "/v1/checkpoints/:ref"),
  reads("checkpoint show", "/v1/checkpoints/:ref/:number"),
  reads("checkpoint diff", "/v1/checkpoints/:ref/:number/diff"),
  { ...reads("doctor", "/v1/doctor"), without: ["fix", "notify"] },
];

const PROJECT: SessionRight[] = [
  reads("issue list", "/v1/issues"),
  reads("issue show", "/v1/issues/:number"),
  reads("issue deps", "/v1/dependencies"),
  reads("pr list", "/v1/prs"),
  reads("pr show", "/v1/prs/:number"),
  reads("ci list", "/v1/checks"),
  reads("ci status", "/v1/checks/:ref"),
  reads("ci logs", "/v1/checks/:ref/logs"),
  reads("ci failures", "/v1/checks/:ref"),
  reads("merge-queue list", "/v1/queue"),
  reads("merge-queue status", "/v1/queue"),
  reads("merge-queue explain", "/v1/queue/:entry/explain"),
  reads("formula list", "/v1/formulas"),
  reads("formula show", "/v1/formulas/plan/:name"),
  reads("formula validate", "/v1/formulas", "/v1/formulas/builtins"),
  reads("formula status", "/v1/formulas/runs", "/v1/formulas/runs/:id"),
  reads("role log", "/v1/roles/log"),
  reads("gate list", "/v1/gates"),
  reads("patrol status", "/v1/patrols"),
  reads("patrol pending", "/v1/patrols/pending"),
  reads("schedule list", "/v1/schedules"),
  reads("plugin list", "/v1/plugins"),
  reads("plugin log", "/v1/plugins/log"),
  reads("notify list", "/v1/notify"),
  local("vault request"),
  reads("vault list", "/v1/vault"),
  reads("vault show", "/v1/vault/:id"),
  reads("vault log", "/v1/vault", "/v1/vault/:id"),
];

/** Reading monitored sessions and the files of a story; nothing here starts or ends a session. */
const MONITORING = [
  ...["name", "build-cmd", "list", "exists"].map((verb) => `tmux-wrapper ${verb}`),
  "monitor-session",
  "tmux-status-check",
  "heartbeat-check",
  ...["get", "exists", "check-epic"].map((verb) => `orchestrator-helper sprint-status ${verb}`),
  "orchestrator-helper marker check",
  ...["parse-output", "verify-step", "verify-code-review", "next-attempt", "normalize-key"].map(
    (verb) => `orchestrator-helper ${verb}`,
  ),
  ...["state-list", "state-latest", "state-latest-incomplete", "state-summary"].map(
    (verb) => `orchestrator-helper ${verb}`,
  ),
  ...["story-file-status", "commit-ready", "get-epic-stories", "check-epic-complete"].map(
    (verb) => `orchestrator-helper ${verb}`,
  ),
];

export const SESSION_RIGHTS: readonly SessionRight[] = [
  ...OWN_WORK.map(local),
  ...FACTORY,
  ...PROJECT,
  ...MONITORING.map(local),
  local("completion"),
];

/** Names the session that a call comes from; absent for people. */
export const SESSION_HEADER = "x-pawl-session";

/** Of the agent's contract: one of them is enough to know that an agent runs this. */
const MARKS = ["PAWL_SPOOL", "PAWL_RUN", "PAWL_PHASE_FILE"];

/** The session that this environment belongs to; undefined for people. */
export function sessionOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (MARKS.every((name) => env[name] === undefined)) return undefined;
  return [env["PAWL_PROJECT"] ?? "unknown", env["PAWL_RUN"] ?? "unknown"].join("/");
}

/** What of this command a session may not do, as it is typed; undefined where all of it is allowed. */
export function deniedCommand(
  command: string,
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  const right = SESSION_RIGHTS.find((one) => one.command === command);
  if (right === undefined) return command;
  const option = right.without?.find((name) => options[name] === true);
  return option === undefined ? undefined : `${command} --${option}`;
}

const ALLOWED = SESSION_RIGHTS.flatMap(({ calls }) => calls).map(patternOf);

/** Whether a session may make this call; `path` without its query. */
export const mayCall = (method: string, path: string): boolean =>
  ALLOWED.some((pattern) => pattern.test(`${method} ${path}`));

function patternOf(call: string): RegExp {
  const parts = call.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part));
  return new RegExp(`^${parts.join("/")}$`);
}

/** The answer to a call that a session may not make. */
export const refusedCall = (call: { method: string; path: string; session: string }) => ({
  code: "auth",
  message: `${call.method} ${call.path} is not allowed inside a session (${decodeURIComponent(call.session)}): only people may do this`,
  hint: "ask the operator: `PHASE:escalate` with a reason, or `pawl mail send operator`",
});
