// What the supervisor is shown of machine and factory beside its findings, so that it can say what a
// judgement rests on.
import type { Issue } from "../../core/issue.ts";
import { LABELS } from "../../core/issue.ts";
import type { RoleFacts } from "../../core/roles/facts.ts";
import { titleOf } from "../../core/run/run.ts";
import { briefProject } from "../engine/brief-project.ts";
import type { BuiltinContext } from "../builtins/builtin.ts";
import { runsAtWork } from "../patrol/look-around.ts";

const LOG_LINES = 10;
const SESSION_LINES = 5;
const CHECKS_MAX = 10;
const SESSIONS_MAX = 20;
const BLOCKED_MAX = 20;
const LETTER_MAX = 2_000;

export async function snapshotOf(context: BuiltinContext, facts: RoleFacts, open: Issue[]) {
  const { ports, paths } = context;
  const labelled = (label: string): Issue[] => open.filter(({ labels }) => labels.includes(label));
  return {
    machine: facts.machine,
    containers: await ports.machine.containers(),
    sessions: await sessionsOf(context),
    ci: facts.checks
      .slice(0, CHECKS_MAX)
      .map(({ passed, gate }) => (passed ? "green" : `red: ${gate ?? "unknown"}`)),
    queue: facts.queue,
    issues: {
      open: open.length,
      backlog: labelled(LABELS.backlog).length,
      in_progress: labelled(LABELS.inProgress).length,
      blocked: labelled(LABELS.blocked).length,
      action: labelled(LABELS.action).length,
    },
    blocked: labelled(LABELS.blocked)
      .slice(0, BLOCKED_MAX)
      .map(({ number, title }) => `#${number} ${title}`),
    stale_workspaces: facts.staleWorkspaces,
    letters: facts.letters.map((letter) => ({ ...letter, body: beginningOf(letter.body) })),
    log: await tail(context, paths.log, LOG_LINES),
  };
}

async function sessionsOf(context: BuiltinContext) {
  const { store, project, paths } = context;
  const known = await briefProject(store, project);
  const runs = known === undefined ? [] : await runsAtWork(store, known);
  return Promise.all(
    runs.slice(0, SESSIONS_MAX).map(async (run) => ({
      run: run.id,
      title: titleOf(run),
      stage: run.stage.kind,
      phase: run.phase?.phase ?? "none",
      crashes: run.crashes.length,
      log: await tail(context, paths.paneLog(project, run.id), SESSION_LINES),
    })),
  );
}

const beginningOf = (body: string): string =>
  body.length > LETTER_MAX ? `${body.slice(0, LETTER_MAX)} … (${body.length} characters)` : body;

const tail = async ({ ports }: BuiltinContext, path: string, lines: number): Promise<string[]> =>
  (await ports.machine.tail(path, lines)).map((line) => ports.redact(line).slice(0, 300));
