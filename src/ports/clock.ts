// Time, as the daemon sees it. The core never asks: its events carry `at`.
export type Timer = { cancel(): void };

export type Clock = {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /**
   * Never goes back and does not count the time a laptop slept; used to notice clock jumps. The same
   * for every program of one run of the machine, which `boot` names; "" where nothing names it.
   */
  monotonicMs(): number;
  readonly boot: string;
  /** Calls once after `delayMs`; a timer alone does not keep the program alive. */
  after(delayMs: number, call: () => void): Timer;
};
