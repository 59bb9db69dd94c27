// When the next checkpoint of one living session is due. Times are of the steady clock, so that a
// laptop that slept does not save everything at once.
import type { AggregateId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { Timer } from "../../ports/clock.ts";

/** Between two checkpoints of files that keep changing. */
const EVERY_MS = 2_000;
/** Files are written in bursts; the first of them is not worth a checkpoint of its own. */
const SETTLE_MS = 200;
/** A checkpoint may take this share of the time: one in twenty. */
const SHARE = 20;
/**
 * Changes can be missed, so there are periodic looks, less and less often where nothing is found.
 */
const SWEEP_FIRST_MS = 60_000;
const SWEEP_MAX_MS = 60 * 60_000;
const RETRY_MAX_MS = 5 * 60_000;

export type Saving = {
  id: AggregateId;
  run: Run;
  epoch: number;
  watch: { close(): void } | undefined;
  /** Why the next one is made; undefined where nothing is known to have changed. */
  why: string | undefined;
  /** Asked for, not only noticed. */
  isUrgent: boolean;
  isBusy: boolean;
  /** When the last one ended; undefined before the first. */
  lastAt: number | undefined;
  lastTookMs: number;
  failures: number;
  sweepMs: number;
  timer: Timer | undefined;
};

export const newSaving = (of: Pick<Saving, "id" | "run" | "epoch">): Saving => ({
  ...of,
  watch: undefined,
  why: undefined,
  isUrgent: false,
  isBusy: false,
  lastAt: undefined,
  lastTookMs: 0,
  failures: 0,
  sweepMs: SWEEP_FIRST_MS,
  timer: undefined,
});

export function changed(saving: Saving, why: string): void {
  saving.why ??= why;
  saving.sweepMs = SWEEP_FIRST_MS;
}

export function nudged(saving: Saving, why: string): void {
  Object.assign(saving, { why, isUrgent: true, sweepMs: SWEEP_FIRST_MS });
}

export type Look = { nowMs: number; tookMs: number; found: "change" | "nothing" | "failure" };

export function looked(saving: Saving, { nowMs, tookMs, found }: Look): void {
  saving.lastAt = nowMs;
  saving.lastTookMs = tookMs;
  saving.failures = found === "failure" ? saving.failures + 1 : 0;
  if (found === "failure") saving.why ??= "again after a failure";
  if (found === "nothing") saving.sweepMs = Math.min(saving.sweepMs * 2, SWEEP_MAX_MS);
}

/** The instant of the next checkpoint: of what changed, or of a look whether something did. */
export function dueAt(saving: Saving, now: number): number {
  const { why, isUrgent, lastAt = -Infinity, lastTookMs, failures, sweepMs } = saving;
  if (why === undefined) return Math.max(lastAt, now - sweepMs) + sweepMs;
  const wanted = isUrgent ? now : Math.max(now + SETTLE_MS, lastAt + EVERY_MS);
  const pauseMs =
    failures === 0 ? lastTookMs * SHARE : Math.min(EVERY_MS * 2 ** failures, RETRY_MAX_MS);
  return Math.max(wanted, lastAt + pauseMs);
}
