// How a monitored session is, from the strongest evidence to the weakest: its exit record, its own
// word (phase file or turn hook), its process, the CPU of its tree, the words it shows, the clock on
// its statusline. A weaker one never overrules a stronger one, and a failed probe is "unknown". The
// statusline's clock has the last word against "stuck", and only against that.
import { provesLife } from "../session/statusline.ts";

export type SessionState = "just_started" | "in_progress" | "completed" | "crashed" | "stuck";

/** One look from outside; what could not be seen is undefined. */
export type Look = {
  at: number;
  exit: { code: number | null; signal: string | null } | undefined;
  /** "none": no process has been recorded. */
  process: "alive" | "dead" | "unknown" | "none";
  /** The name in the phase file. */
  phase: string | undefined;
  cpuMs: number | undefined;
  running: boolean | undefined;
  words: string | undefined;
  clock: string | undefined;
};

/** What earlier looks have left to compare with. */
export type Watched = {
  polls: number;
  everActive: boolean;
  progressAt: number;
  cpu: { usedMs: number; at: number } | undefined;
  words: string | undefined;
  clock: string | undefined;
  clockAdvancedAt: number | undefined;
};

export type Limits = {
  stuckAfterMs: number;
  /** How long an advance of the clock counts; 0: only since the look before. */
  clockWindowMs: number;
  createdAt: number;
};

export type Judged = { state: SessionState; reason: string; exitCode: number };

/** A spinner needs a few percent of a core; who uses a fifth is at work. */
const BUSY_SHARE = 0.2;
/** A process that waits for a core may get little CPU time. */
const WAITING_SHARE = 0.05;
const LAUNCH_MAX_MS = 20_000;
const SAID_ENDED = ["turn_ended", "done", "failed", "escalate"];
const SIGNALS: Record<string, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

export const newWatched = (createdAt: number): Watched => ({
  polls: 0,
  everActive: false,
  progressAt: createdAt,
  cpu: undefined,
  words: undefined,
  clock: undefined,
  clockAdvancedAt: undefined,
});

export function looked(before: Watched, look: Look): Watched {
  const { at, cpuMs, words, clock } = look;
  const spoke = words !== undefined && words !== "" && words !== before.words;
  const moved = spoke || isBusy(before, look);
  const advanced = clock !== undefined && provesLife(before.clock, clock);
  return {
    polls: before.polls + 1,
    everActive: before.everActive || moved,
    progressAt: moved ? at : before.progressAt,
    cpu: cpuMs === undefined ? before.cpu : { usedMs: cpuMs, at },
    words: words ?? before.words,
    clock: clock ?? before.clock,
    clockAdvancedAt: advanced ? at : before.clockAdvancedAt,
  };
}

export function isBusy({ cpu }: Watched, { at, cpuMs, running }: Look): boolean {
  if (cpu === undefined || cpuMs === undefined || at <= cpu.at) return false;
  const share = (cpuMs - cpu.usedMs) / (at - cpu.at);
  return share >= BUSY_SHARE || (running === true && share >= WAITING_SHARE);
}

/** `watched` is what `looked` made of the same look. */
export function judgeSession(watched: Watched, look: Look, limits: Limits): Judged {
  if (look.exit !== undefined) return judgeExit(look.exit);
  if (look.phase !== undefined && SAID_ENDED.includes(look.phase)) {
    return judged("completed", `agent_said_${look.phase}`);
  }
  if (look.process === "dead") return { ...judged("crashed", "no_exit_record"), exitCode: 1 };
  const ageMs = look.at - limits.createdAt;
  if (look.process === "none" && ageMs > LAUNCH_MAX_MS) {
    return { ...judged("crashed", "launch_never_succeeded"), exitCode: 1 };
  }
  return judgeSilence(watched, look, limits);
}

function judgeSilence(watched: Watched, look: Look, limits: Limits): Judged {
  const others = look.at - watched.progressAt >= limits.stuckAfterMs ? "stuck" : "alive";
  if (others === "alive") {
    return judged(watched.everActive ? "in_progress" : "just_started", "alive");
  }
  // A process that was just not seen proves nothing, not even that it hangs.
  if (look.process === "unknown") return judged("in_progress", "unknown");
  const state = gate({ advanced: isClockFresh(watched, look, limits) });
  if (state === "just_started") return judged(state, "statusline_advanced");
  return judged(state, watched.everActive ? "no_progress" : "never_active");
}

const isClockFresh = (watched: Watched, look: Look, limits: Limits): boolean =>
  look.clock !== undefined &&
  watched.clockAdvancedAt !== undefined &&
  look.at - watched.clockAdvancedAt <= limits.clockWindowMs;

/** The seed's matrix where every other check says "stuck". */
const gate = ({ advanced }: { advanced: boolean }): "just_started" | "stuck" =>
  advanced ? "just_started" : "stuck";

function judgeExit({ code, signal }: NonNullable<Look["exit"]>): Judged {
  const exitCode = code ?? 128 + (SIGNALS[signal ?? ""] ?? 0);
  if (exitCode === 0) return judged("completed", "exited");
  return { state: "crashed", reason: `exit_code_${exitCode}`, exitCode };
}

const judged = (state: SessionState, reason: string): Judged => ({ state, reason, exitCode: 0 });
