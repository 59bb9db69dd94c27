// Loaded into the daemon of a bench (`node --import`): how long its event loop stood still, measured
// from within. What the bench itself does beside the daemon delays a question, but not this. It also
// says how much of that time the main thread computed: a machine with other work raises only the rest
// (`chrt -f 5` before the bench keeps other work away from both).
import { renameSync, writeFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import process from "node:process";

const EVERY_MS = 2;

type Stall = { wallMs: number; cpuMs: number };
export type Stalls = {
  /** The longest by the clock, and the one in which the main thread computed most. */
  longest: Stall;
  busiest: Stall;
  /** The longest pause for the garbage collector. */
  collectorMs: number;
};

const none = (): Stalls => ({
  longest: { wallMs: 0, cpuMs: 0 },
  busiest: { wallMs: 0, cpuMs: 0 },
  collectorMs: 0,
});

const cpuNow = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function watch(file: string): void {
  let stalls = none();
  let wall = performance.now();
  let cpu = cpuNow();
  const look = (): void => {
    const [wallNow, cpuThen] = [performance.now(), cpuNow()];
    const stall = { wallMs: wallNow - wall, cpuMs: cpuThen - cpu };
    if (stall.wallMs > stalls.longest.wallMs) stalls.longest = stall;
    if (stall.cpuMs > stalls.busiest.cpuMs) stalls.busiest = stall;
    [wall, cpu] = [wallNow, cpuThen];
  };
  setInterval(look, EVERY_MS).unref();
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      stalls.collectorMs = Math.max(stalls.collectorMs, duration);
    }
  }).observe({ entryTypes: ["gc"] });
  process.on("SIGUSR2", () => {
    look();
    // Moved into place whole: the bench reads it as soon as it is there.
    writeFileSync(`${file}.new`, JSON.stringify(stalls));
    renameSync(`${file}.new`, file);
    stalls = none();
  });
}

// A thread of the daemon loads this too.
const file = process.env["PAWL_BENCH_STALLS"];
if (file !== undefined) watch(file);
