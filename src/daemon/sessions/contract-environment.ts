// The environment of an agent: from an allow-list, never the daemon's own. Nothing in
// it can move the target, and git inside it opens no pager, editor or prompt.
import { delimiter, join } from "node:path";
import { runtimeNamed } from "../../adapters/runtimes.ts";
import { issueOf, type Run } from "../../core/run/run.ts";
import { INPUTS_FOLDER, RESULT_FILE } from "../../ports/session-files.ts";
import { passEnvironment } from "../host/environment.ts";

/** Of the user's environment, what every program needs to run at all. */
const PASSED = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "SHELL", "TMPDIR", "TZ", "USER"];

const GIT_QUIET = {
  GIT_PAGER: "cat",
  PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_MERGE_AUTOEDIT: "no",
};

type Life = {
  epoch: number;
  /** Of the factory: commands inside the session read this one's journal, not another's. */
  home: string;
  /** Where its daemon listens, which depends on variables that agents do not see. */
  runtime: string;
  dir: string;
  hookFile: string;
  passEnv: readonly string[];
  /** Of its runtime, and the folder that the run has in place of it inside walls. */
  state?: { variable: string; folder: string } | undefined;
};

export function contractEnvironment(run: Run, life: Life): Record<string, string> {
  const { agent, isolation } = run.config;
  const issue = issueOf(run);
  const isWalled = isolation !== undefined && isolation.mode !== "none";
  return {
    ...passEnvironment([...PASSED, ...life.passEnv, ...agent.passEnv]),
    ...GIT_QUIET,
    ...accountFolder(agent, life.state),
    ...agent.env,
    PATH: agentPath(),
    TERM: "tmux-256color",
    ...(isWalled ? insideWalls(life, isolation.mode) : outside(life)),
    PAWL_PROMPT_FILE: join(life.dir, "prompt.md"),
    PAWL_PHASE_FILE: join(life.dir, "phase"),
    PAWL_INBOX: join(life.dir, "inbox"),
    PAWL_SPOOL: join(life.dir, "spool"),
    PAWL_HOOK_FILE: life.hookFile,
    PAWL_ROLE: run.role,
    PAWL_NAME: run.name,
    PAWL_RUN: run.id,
    PAWL_EPOCH: String(life.epoch),
    PAWL_PROJECT: run.project,
    PAWL_RESULT_FILE: join(life.dir, RESULT_FILE),
    PAWL_INPUTS: join(life.dir, INPUTS_FOLDER),
    PROJECT_NAME: run.project,
    ...(issue === undefined ? {} : { PAWL_ISSUE: String(issue), ISSUE: String(issue) }),
  };
}

const outside = ({ home, runtime }: Life): Record<string, string> => ({
  PAWL_HOME: home,
  PAWL_RUNTIME: runtime,
});

/** Neither the factory's folder nor the daemon's socket is there: commands speak through the spool. */
const insideWalls = ({ state }: Life, mode: string): Record<string, string> => ({
  PAWL_ISOLATION: mode,
  TMPDIR: "/tmp",
  ...(state === undefined ? {} : { [state.variable]: state.folder }),
});

/** Another account's program keeps its login in a folder of its own. */
export function accountFolder(
  { home, runtime }: Run["config"]["agent"],
  state: { variable: string } | undefined,
): Record<string, string> {
  if (home === undefined) return {};
  const variable = state?.variable ?? runtimeNamed(runtime)?.homeVariable ?? "HOME";
  return { [variable]: home.replace(/^~(?=\/|$)/, process.env["HOME"] ?? "") };
}

/** The user's PATH, with the folder of the `pawl` command in front where it is known. */
function agentPath(): string {
  const path = process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  const own = process.env["PAWL_BIN_DIR"];
  return own === undefined ? path : `${own}${delimiter}${path}`;
}
