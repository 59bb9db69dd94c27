// Single looks at a session, for callers that drive the looking themselves. What a look leaves to
// compare with is kept in the session's folder.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readLifeRecord } from "../../adapters/shared/life-record.ts";
import { writeWhole } from "../../adapters/shared/write-whole.ts";
import { judgeSession, looked, newWatched } from "../../core/monitoring/live-state.ts";
import type { Judged, Watched } from "../../core/monitoring/live-state.ts";
import { activeTask, countTodos, waitEstimate } from "../../core/monitoring/screen.ts";
import { exportOutput } from "./export-output.ts";
import { lookAtSession } from "./look-at-session.ts";
import { placeOf } from "./monitor-place.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { readIfThere } from "./story-files.ts";
import { findSession, isKilled } from "./stored-sessions.ts";
import type { FoundSession } from "./stored-sessions.ts";

export type StatusRow = {
  status: "active" | "idle" | "crashed" | "not_found" | "error";
  todos_done: number;
  todos_total: number;
  active_task: string;
  wait_estimate: number;
  session_state: string;
};

const WATCHED = "watched.json";
const HEARTBEAT_MS = 500;
const WAIT_STARTED_S = 15;
const WAIT_GONE_S = 30;

export async function checkStatus(
  place: MonitorPlace,
  request: { name: string; full: boolean; stuckAfterMs: number },
): Promise<StatusRow> {
  const session = await findSession(place, request.name);
  if (session === undefined || (await isKilled(session.dir))) return row("not_found", WAIT_GONE_S);
  const { look, screen } = await lookAtSession(place, session);
  const watched = looked(await readWatched(session), look);
  await writeWhole(join(session.dir, WATCHED), `${JSON.stringify(watched)}\n`);
  const limits = { stuckAfterMs: request.stuckAfterMs, clockWindowMs: 0 };
  const judged = judgeSession(watched, look, { ...limits, createdAt: session.createdAt });
  const { done, total } = countTodos(screen);
  const seen = { todos_done: done, todos_total: total };
  const isOver = judged.state === "completed" || judged.state === "crashed";
  if (isOver && request.full) {
    const ended = look.exit !== undefined;
    const { path } = await exportOutput(placeOf(place, session), session, { ended });
    return {
      ...row(judged.state, waitOf(judged, "", { done, total })),
      ...seen,
      active_task: path,
    };
  }
  const task = activeTask(screen);
  const wait = waitOf(judged, task, { done, total });
  return { ...row(judged.state, wait), ...seen, active_task: task };
}

/** For a crash it is the exit code, as callers of the original expect. */
function waitOf(judged: Judged, task: string, todos: { done: number; total: number }): number {
  if (judged.state === "crashed") return judged.exitCode;
  if (judged.state === "just_started") return WAIT_STARTED_S;
  return judged.state === "in_progress" ? waitEstimate(task, todos) : 0;
}

const STATUS: Record<string, StatusRow["status"]> = {
  just_started: "active",
  in_progress: "active",
  completed: "idle",
  stuck: "idle",
  crashed: "crashed",
  not_found: "not_found",
};

const row = (state: string, wait: number): StatusRow => ({
  status: STATUS[state] ?? "error",
  todos_done: 0,
  todos_total: 0,
  active_task: "",
  wait_estimate: wait,
  session_state: state,
});

async function readWatched({ dir, createdAt }: FoundSession): Promise<Watched> {
  const text = await readIfThere(join(dir, WATCHED));
  return text === undefined ? newWatched(createdAt) : (JSON.parse(text) as Watched);
}

export type Heartbeat = { status: string; cpu: number; pid: number; prompt: string };

/** Measures what the whole process tree uses right now, not the average of its life. */
export async function checkHeartbeat(place: MonitorPlace, name: string): Promise<Heartbeat> {
  const session = await findSession(place, name);
  const life = session === undefined ? undefined : await readLifeRecord(session.dir);
  if (session === undefined)
    return { status: "error", cpu: 0, pid: 0, prompt: "session_not_found" };
  if (life === undefined) return { status: "error", cpu: 0, pid: 0, prompt: "state_missing" };
  const { pid } = life.agent ?? life.wrapper;
  const before = await lookAtSession(place, session);
  const { exit, phase } = before.look;
  if (exit !== undefined) {
    return { status: exit.code === 0 ? "completed" : "dead", cpu: 0, pid, prompt: "false" };
  }
  if (before.look.process === "dead") return { status: "dead", cpu: 0, pid, prompt: "false" };
  await delay(HEARTBEAT_MS);
  const { look } = await lookAtSession(place, session);
  const used = (look.cpuMs ?? 0) - (before.look.cpuMs ?? look.cpuMs ?? 0);
  const cpu = Math.max(0, (used / Math.max(1, look.at - before.look.at)) * 100);
  const status = cpu > 0.1 || look.running === true ? "alive" : "idle";
  return { status, cpu, pid, prompt: String(phase === "turn_ended") };
}
