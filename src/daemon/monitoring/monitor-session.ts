// Waits for the verdict on one session: woken by its folder, with a slow look beside it. It keeps
// nothing in memory that the next call would need, so a monitor that dies loses nothing.
import { setTimeout as delay } from "node:timers/promises";
import { isNetworkError } from "../../core/monitoring/attempts.ts";
import { judgeSession, looked, newWatched } from "../../core/monitoring/live-state.ts";
import type { Judged, Limits } from "../../core/monitoring/live-state.ts";
import { activeTask, countTodos } from "../../core/monitoring/screen.ts";
import type { Todos } from "../../core/monitoring/screen.ts";
import { exportOutput } from "./export-output.ts";
import { note } from "./ledger.ts";
import { lookAtSession } from "./look-at-session.ts";
import { placeOf } from "./monitor-place.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { findSession, isKilled, readSession } from "./stored-sessions.ts";
import type { FoundSession } from "./stored-sessions.ts";
import { STEPS } from "./build-command.ts";

export type MonitorRequest = {
  name: string;
  timeoutMs: number;
  /** When the polls of the original would be used up. */
  pollsEndMs: number | undefined;
  stuckAfterMs: number;
  workflow: string | undefined;
  storyKey: string | undefined;
  /** Undefined where the output is not shown. */
  progress: ((line: string) => void) | undefined;
};

export type FinalState = "completed" | "crashed" | "stuck" | "timeout" | "incomplete" | "not_found";

export type Monitored = {
  final_state: FinalState;
  todos_done: number;
  todos_total: number;
  output_file: string;
  exit_reason: string;
  output_verified: boolean;
};

type Verdict = { state: FinalState; reason: string; verified: boolean };

/** Looks only measure silence: the end comes as an event. A look costs 20 ms of CPU. */
const LOOK_MS = 30_000;
/** The output is shown, and the first minute is the most interesting one. */
const EARLY_LOOK_MS = 5_000;
const EARLY_MS = 60_000;
const LOOK_MIN_MS = 200;
const REPORT_MS = 60_000;
const SETTLE_MS = 400;
const SETTLE_LOOK_MS = 20;
/** A turn that ended may continue: it is looked at again before it counts as incomplete. */
const RECHECK_MS = 2_000;
const RECHECKS = 3;

export async function monitorSession(
  here: MonitorPlace,
  request: MonitorRequest,
): Promise<Monitored> {
  const session = await findSession(here, request.name);
  if (session === undefined) return gone("session_gone");
  const place = placeOf(here, session);
  const watch = new Monitor(place, session, request);
  const verdict = await watch.verdict();
  if (verdict.state === "not_found") return gone(verdict.reason);
  return finish(place, session, { verdict, todos: watch.todos });
}

const gone = (reason: string): Monitored => ({
  final_state: "not_found",
  todos_done: 0,
  todos_total: 0,
  output_file: "",
  exit_reason: reason,
  output_verified: false,
});

async function finish(
  place: MonitorPlace,
  session: FoundSession,
  { verdict, todos }: { verdict: Verdict; todos: Todos },
): Promise<Monitored> {
  const ended = (await place.files.read({ path: session.dir })).exit !== undefined;
  const { path, text } = await exportOutput(place, session, { ended });
  const last = countTodos(text);
  const { done, total } = last.total === 0 ? todos : last;
  await note(place.ledger, {
    kind: "ended",
    at: Date.now(),
    name: session.name,
    finalState: verdict.state,
    reason: verdict.reason,
    verified: verdict.verified,
    todosDone: done,
    networkError: isNetworkError(text, verdict.state),
  });
  return {
    final_state: verdict.state,
    todos_done: done,
    todos_total: total,
    output_file: path,
    exit_reason: verdict.reason,
    output_verified: verdict.verified,
  };
}

class Monitor {
  todos: Todos = { done: 0, total: 0 };
  readonly #place: MonitorPlace;
  readonly #session: FoundSession;
  readonly #request: MonitorRequest;
  readonly #limits: Limits;
  #watched;
  #wake: (() => void) | undefined;
  #changed = false;
  #reported = { text: "", at: -REPORT_MS };
  #rechecks = 0;

  constructor(place: MonitorPlace, session: FoundSession, request: MonitorRequest) {
    this.#place = place;
    this.#session = session;
    this.#request = request;
    // What happened before this call was not seen: silence counts from now.
    const createdAt = Date.now();
    const { stuckAfterMs } = request;
    this.#limits = { stuckAfterMs, clockWindowMs: stuckAfterMs, createdAt: session.createdAt };
    this.#watched = newWatched(createdAt);
  }

  async verdict(): Promise<Verdict> {
    // Deadlines are counted by a clock that stands still while a laptop sleeps.
    const began = performance.now();
    const stir = (): void => {
      this.#changed = true;
      this.#wake?.();
    };
    const dir = { path: this.#session.dir };
    const watch = this.#place.files.watch({ dir, onChange: stir, onMaybeGone: stir });
    try {
      for (;;) {
        const verdict = await this.#look(performance.now() - began);
        if (verdict !== undefined) return verdict;
        await this.#pause(performance.now() - began);
      }
    } finally {
      watch.close();
    }
  }

  async #look(elapsedMs: number): Promise<Verdict | undefined> {
    const { dir } = this.#session;
    if ((await readSession(dir)) === undefined || (await isKilled(dir))) {
      return { state: "not_found", reason: "session_killed", verified: false };
    }
    const { look, screen } = await lookAtSession(this.#place, this.#session);
    this.#watched = looked(this.#watched, look);
    const judged = judgeSession(this.#watched, look, this.#limits);
    const todos = countTodos(screen);
    if (todos.total > 0) this.todos = todos;
    this.#report(elapsedMs, judged, activeTask(screen));
    return (await this.#conclude(judged)) ?? this.#late(elapsedMs);
  }

  async #conclude(judged: Judged): Promise<Verdict | undefined> {
    const { state, reason } = judged;
    if (state === "completed") return this.#verified(reason);
    if (state === "crashed" && reason === "no_exit_record") return this.#settled(judged);
    if (state === "crashed" || state === "stuck") return { state, reason, verified: false };
    this.#rechecks = 0;
    return undefined;
  }

  /** The process is gone without a record: it may be just being written. */
  async #settled({ state, reason }: Judged): Promise<Verdict | undefined> {
    const { dir } = this.#session;
    for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += SETTLE_LOOK_MS) {
      await delay(SETTLE_LOOK_MS);
      const { exit } = await this.#place.files.read({ path: dir });
      if (exit === undefined && !(await isKilled(dir))) continue;
      this.#changed = true;
      return undefined;
    }
    return { state: state === "crashed" ? state : "crashed", reason, verified: false };
  }

  async #verified(reason: string): Promise<Verdict | undefined> {
    if (reason === "agent_said_failed" || reason === "agent_said_escalate") {
      return { state: "incomplete", reason, verified: false };
    }
    const step = this.#request.workflow ?? this.#session.step;
    const exited = reason === "exited";
    // A step of the user's own has no contract: nothing can be verified, and that is said.
    if (!STEPS.some((one) => one === step))
      return { state: "completed", reason: "normal_completion", verified: false };
    const story = this.#request.storyKey ?? this.#session.story;
    // Loaded at the end: a monitor mostly waits, and what it does not need then is 20 MB.
    const { verifyStep } = await import("./verify-step.ts");
    const result = await verifyStep(this.#place, { step, story });
    if (result.verified) return { state: "completed", reason: "verified_complete", verified: true };
    if (!exited && ++this.#rechecks < RECHECKS) return undefined;
    return { state: "incomplete", reason: result.reason ?? "not_verified", verified: false };
  }

  #late(elapsedMs: number): Verdict | undefined {
    const { timeoutMs, pollsEndMs } = this.#request;
    const timeout = { state: "timeout", verified: false } as const;
    if (elapsedMs >= timeoutMs) {
      return { ...timeout, reason: `exceeded_${Number((timeoutMs / 60_000).toFixed(2))}m` };
    }
    if (pollsEndMs !== undefined && elapsedMs >= pollsEndMs) {
      return { ...timeout, reason: "max_polls_exceeded" };
    }
    return undefined;
  }

  #report(elapsedMs: number, { state, reason }: Judged, task: string): void {
    const { done, total } = this.todos;
    const text = [state, `(${reason})`, total > 0 ? `${done}/${total}` : "", task]
      .filter((part) => part !== "")
      .join(" ");
    if (text === this.#reported.text && elapsedMs - this.#reported.at < REPORT_MS) return;
    this.#reported = { text, at: elapsedMs };
    this.#request.progress?.(`[${Math.round(elapsedMs / 1000)}s] ${this.#session.name}: ${text}`);
  }

  /** Until something stirs, the next look is due, or the time is over. */
  async #pause(elapsedMs: number): Promise<void> {
    if (this.#changed) {
      this.#changed = false;
      return;
    }
    const { timeoutMs, pollsEndMs = Infinity, stuckAfterMs, progress } = this.#request;
    const left = Math.min(timeoutMs, pollsEndMs) - elapsedMs;
    const isEarly = progress !== undefined && elapsedMs < EARLY_MS;
    const usualMs = isEarly ? EARLY_LOOK_MS : LOOK_MS;
    const look = Math.max(LOOK_MIN_MS, Math.min(usualMs, stuckAfterMs / 3));
    const usual = this.#rechecks > 0 ? RECHECK_MS : look;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(1, Math.min(usual, left)));
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
    this.#changed = false;
  }
}
