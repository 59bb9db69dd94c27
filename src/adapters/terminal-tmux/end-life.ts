// Ends a life: asks it to end (TERM), kills it (KILL), then kills the processes that left its
// terminal, then ends the tmux session. Every process it ends is proven to belong to the life: by
// its terminal, by descent from its wrapper, by the marks in its environment, or as an orphan in
// its workspace; never by name. The wrapper is spared until its record is written. Every step may
// be repeated, and none needs a running tmux server.
import { join } from "node:path";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import {
  carries,
  findProcess,
  hasProc,
  judge,
  listProcesses,
  readProcess,
  rowOf,
  surveyed,
} from "../shared/process-table.ts";
import type { ProcessRow } from "../shared/process-table.ts";
import { orphansInside } from "../shared/orphans-inside.ts";
import type { ProcessId } from "../../ports/terminal.ts";
import { lifeOf, listPanes } from "./panes.ts";
import type { Marks } from "./panes.ts";
import { living, send, signalEach, whenGone } from "./signals.ts";
import { ask, failed } from "./tmux.ts";
import type { Tmux } from "./tmux.ts";

export type Ending = {
  tmuxSession: string | undefined;
  process: ProcessId | undefined;
  marks: Marks;
  workspace?: string;
  graceMs: number;
};

export type EndContext = { tmux: Tmux; crash: CrashPoint };

/** For the wrapper to write its record, and for KILL to take effect. */
const SETTLE_MS = 3_000;
/** For the leader to see the agent's last words in the log (wrapper.sh). */
const LAST_WORDS_MS = 5_000;
/** What tmux says of a session that ended meanwhile; the second where it was the server's last. */
const ABSENT = /^(can't find session|no current target)/;
const ROUNDS_MAX = 5;
const LATE_GRACE_MS = 500;

export async function endLife({ tmux, crash }: EndContext, ending: Ending): Promise<void> {
  const wrapper = (await livingRow(ending.process)) ?? (await unrecordedLeader(tmux, ending.marks));
  const members = wrapper === undefined ? [] : await membersOf(wrapper);
  if (wrapper !== undefined) await endTerminal(wrapper, { members, graceMs: ending.graceMs });
  await crash("terminal.end.agent");
  await endLeftovers(members, ending);
  await crash("terminal.end.leftovers");
  await endSessions(tmux, { ...ending, leader: wrapper?.session });
}

/** A life that was started but never got into the journal has no pid there: its marks tell. */
async function unrecordedLeader(tmux: Tmux, marks: Marks): Promise<ProcessRow | undefined> {
  const life = lifeOf(marks);
  const pane = (await listPanes(tmux)).find((candidate) => candidate.life === life);
  const row = pane === undefined ? "gone" : await findProcess(pane.pid);
  return typeof row === "object" ? row : undefined;
}

async function livingRow(id: ProcessId | undefined): Promise<ProcessRow | undefined> {
  if (id === undefined) return undefined;
  const row = await findProcess(id.pid);
  return typeof row === "object" && judge(row, id) === "alive" ? row : undefined;
}

/** On the wrapper's terminal or descended from it. Not the wrapper, not its parent, not ourselves. */
async function membersOf(wrapper: ProcessRow): Promise<ProcessRow[]> {
  const rows = await listProcesses();
  const family = new Set([wrapper.pid]);
  // Parents can have higher numbers than their children, so it is repeated until nothing is added.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const row of rows) if (family.has(row.parent)) family.add(row.pid);
  }
  const spared = new Set([wrapper.pid, wrapper.session, process.pid]);
  return rows.filter(
    (row) => !spared.has(row.pid) && (row.session === wrapper.session || family.has(row.pid)),
  );
}

async function endTerminal(
  wrapper: ProcessRow,
  { members, graceMs }: { members: ProcessRow[]; graceMs: number },
): Promise<void> {
  const own = await findProcess(process.pid);
  const ownGroup = typeof own === "object" ? own.group : undefined;
  // The whole group at once, so that nothing it starts meanwhile is missed. The wrapper is in it
  // too: it waits for its agent all the same, and starts none if it has not yet. Our own group is
  // never signalled as one.
  const groups = new Set([wrapper, ...members].map((row) => row.group));
  if (ownGroup !== undefined) groups.delete(ownGroup);
  for (const signal of ["SIGTERM", "SIGCONT"] as const) {
    for (const group of groups) send(-group, signal);
  }
  await signalEach(
    members.filter((row) => row.group === ownGroup),
    "SIGTERM",
  );
  if (await whenGone([wrapper], graceMs)) return;
  await signalEach(await membersOf(wrapper), "SIGKILL");
  if (await whenGone([wrapper], SETTLE_MS)) return;
  await signalEach([wrapper], "SIGKILL");
  await whenGone([wrapper], SETTLE_MS);
}

/** Again until none is left: what is being ended may still start others. */
async function endLeftovers(members: ProcessRow[], ending: Ending): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const marked = await leftBehind(ending);
    const known = new Set(marked.map((row) => row.pid));
    const left = await living([...marked, ...members.filter((row) => !known.has(row.pid))]);
    if (left.length === 0) return;
    await signalEach(left, "SIGTERM");
    // What others start while they are ended has no work of its own to finish.
    const graceMs = round === 0 ? ending.graceMs : Math.min(ending.graceMs, LATE_GRACE_MS);
    if (await whenGone(left, graceMs)) continue;
    await signalEach(left, "SIGKILL");
    await whenGone(left, SETTLE_MS);
  }
  const left = await living(await leftBehind(ending));
  if (left.length > 0) throw stillThere(left);
}

/** By the marks in their environment; those without any, by the workspace that they still work in. */
async function leftBehind({ marks, workspace, process: id }: Ending): Promise<ProcessRow[]> {
  const marked = await markedProcesses(marks);
  if (workspace === undefined || id === undefined) return marked;
  const known = new Set(marked.map((row) => row.pid));
  const orphans = await orphansInside(workspace, { since: id.startTime });
  return [...marked, ...orphans.filter((row) => !known.has(row.pid))];
}

/** Another user's child, or a process that waits for a disk: it cannot be reported as ended. */
const stillThere = (left: ProcessRow[]): OperationError =>
  new OperationError(
    `cannot end the agent: ${left.map(({ pid }) => `process ${pid}`).join(", ")} outlives SIGKILL`,
    { code: "process-outlives", retryable: true, hint: "look at it with `ps`, and end it by hand" },
  );

/** We and those we descend from are spared: a command inside the session may be what ends it. */
async function markedProcesses(marks: Marks): Promise<ProcessRow[]> {
  if (!hasProc) return [];
  const spared = new Set<number>();
  for (let pid = process.pid; pid > 1 && !spared.has(pid); pid = parentOf(pid)) spared.add(pid);
  const entries = [
    `PAWL_PROJECT=${marks.project}`,
    `PAWL_RUN=${marks.run}`,
    `PAWL_EPOCH=${marks.epoch}`,
    ...(marks.dir === undefined ? [] : [`PAWL_PHASE_FILE=${join(marks.dir, "phase")}`]),
  ];
  return surveyed((pid) => (!spared.has(pid) && carries(pid, entries) ? rowOf(pid) : []));
}

const parentOf = (pid: number): number => {
  const row = readProcess(pid);
  return typeof row === "string" ? 0 : row.parent;
};

/** By id, and only sessions that carry these marks or whose pane was the wrapper's own. */
async function endSessions(
  tmux: Tmux,
  { tmuxSession, marks, leader }: Ending & { leader: number | undefined },
): Promise<void> {
  const life = lifeOf(marks);
  const panes = (await listPanes(tmux)).filter(
    (pane) => pane.life === life || (pane.session === tmuxSession && pane.pid === leader),
  );
  const leaders = await Promise.all(panes.map((pane) => findProcess(pane.pid)));
  await whenGone(
    leaders.filter((row) => typeof row === "object"),
    LAST_WORDS_MS,
  );
  for (const id of new Set(panes.map((pane) => pane.sessionId))) {
    const answer = await ask(tmux, { commands: [["kill-session", "-t", id]] });
    if (answer.kind === "refused" && !ABSENT.test(answer.said)) {
      throw failed(`end the session ${id}`, answer);
    }
  }
}
