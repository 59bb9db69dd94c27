// Nothing runs that no run knows: sessions on Pawl's own tmux server, and processes whose
// environment names a life of this factory. Their work is saved before they are ended.
import { projectName, runAggregate, runId } from "../../../core/ids.ts";
import type { FoundLife } from "../../views/orphans.ts";
import { strangersAmong } from "../../views/orphans.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";
import { saveFirst } from "../save-first.ts";

const GRACE_MS = 2_000;

export const orphanSessionsCheck: Check = {
  id: "orphan-sessions",
  title: "terminal sessions without a run",
  run: async (inspection) => [
    ...(await strangers(inspection))
      .filter(({ tmuxSession }) => tmuxSession !== null)
      .map((life) => trouble(inspection, life, `tmux session ${life.tmuxSession}`)),
    ...(await unmarked(inspection)),
  ],
};

/** Pawl marks every session it makes in the same command: the others were made by hand. */
async function unmarked({ ports, paths }: Inspection): Promise<Trouble[]> {
  const panes = await ports.terminal.panes();
  if (panes === "unknown") return [];
  const names = panes.filter(({ marks }) => marks === undefined).map((pane) => pane.tmuxSession);
  return [...new Set(names)].map((name) => ({
    key: `tmux session ${name}`,
    what: `tmux session ${name} on Pawl's own server (${paths.tmux}) belongs to no run`,
    hint: `look at it with \`tmux -S ${paths.tmux} attach -t '=${name}'\`, end it with \`tmux -S ${paths.tmux} kill-session -t '=${name}'\``,
  }));
}

export const orphanProcessesCheck: Check = {
  id: "orphan-processes",
  title: "processes of agents without a run",
  run: async (inspection) =>
    (await strangers(inspection))
      .filter(({ tmuxSession, pid }) => tmuxSession === null && pid !== null)
      .map((life) => trouble(inspection, life, `process ${life.pid}`)),
};

/**
 * Monitored sessions have no run on purpose, and the session that runs this command is no orphan.
 */
async function strangers(inspection: Inspection): Promise<FoundLife[]> {
  const found = strangersAmong(await inspection.lives(), await inspection.runs());
  return found.filter(
    ({ marks, pid }) =>
      !marks.project.startsWith("monitor:") && pid !== process.pid && pid !== process.ppid,
  );
}

function trouble(inspection: Inspection, life: FoundLife, name: string): Trouble {
  const { project, run, epoch } = life.marks;
  return {
    key: `${name} ${project}/${run}/${epoch}`,
    what: `${name} belongs to session ${epoch} of run ${run} of ${project}, which has ended`,
    fix: { plan: `save its workspace, then end ${name}`, apply: () => end(inspection, life) },
  };
}

/**
 * By their marks alone, and only those whose folder is this factory's: a process that shares a
 * terminal with a stray one may not be Pawl's.
 */
async function end(inspection: Inspection, { marks, tmuxSession }: FoundLife): Promise<void> {
  const { ports, paths } = inspection;
  const project = projectName(marks.project);
  const run = (await inspection.store.load(runAggregate(project, runId(marks.run))))?.state;
  if (run?.kind === "run") await saveFirst(inspection, { project, identity: run.identity });
  const dir = paths.session(project, runId(marks.run), marks.epoch);
  await ports.terminal.end({
    tmuxSession: tmuxSession ?? undefined,
    process: undefined,
    marks: { ...marks, dir },
    graceMs: GRACE_MS,
  });
}
