// `npm run sim`: known bad seeds first, then fresh ones, until the time or the number is used up.
// A failure is replayed, made smaller, told as a story and kept in regressions.txt.
import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { benchOptions, describeOptions, optionsFrom, type Options } from "./options.ts";
import { keepRegression, readRegressions } from "./regressions.ts";
import { shrink } from "./shrink.ts";
import { simulate, type Result } from "./simulate.ts";

const HOUR_MS = 3_600_000;
const STORY_LINES = 60;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    runs: { type: "string" },
    minutes: { type: "string" },
    seconds: { type: "string" },
    /** Of the processor, so that a busy machine makes no difference. */
    "cpu-seconds": { type: "string" },
    verbose: { type: "boolean", default: false },
    /** Prints every line of the story of one seed. */
    story: { type: "boolean", default: false },
    bench: { type: "boolean", default: false },
    /** For the mutants: neither shrinks nor keeps what it finds. */
    quick: { type: "boolean", default: false },
    /** For the mutants: what another checker than these sees does not end a simulation. */
    checker: { type: "string", multiple: true },
    "skip-regressions": { type: "boolean", default: false },
    /** Fresh seeds that follow from the tree of HEAD: new with each change, the same on each machine. */
    "of-tree": { type: "boolean", default: false },
  },
});

const started = performance.now();
/** What it took to read the program is not the simulator's speed. */
const before = process.cpuUsage();
const totals = { runs: 0, simulatedMs: 0, activeRunMs: 0, events: 0, landed: 0, kills: 0 };

function count(result: Result): void {
  totals.runs += 1;
  totals.simulatedMs += result.simulatedMs;
  totals.activeRunMs += result.activeRunMs;
  totals.events += result.events;
  totals.landed += result.landed;
  totals.kills += result.kills;
}

async function runOne(seed: number, options: Options): Promise<boolean> {
  const onlyFaults = values.bench;
  const { story, checker: checkers } = values;
  const result = await simulate(seed, options, { story, onlyFaults, checkers });
  count(result);
  if (values.verbose) console.log(`seed ${seed}: ${summary(result)}`);
  if (values.story) console.log(result.story.join("\n"));
  for (const other of result.overlooked) console.log(`seed ${seed} breaks ${other}: overlooked`);
  if (result.failure === undefined) return true;
  await report(seed, options, result);
  return values.checker !== undefined && !values.checker.includes(result.failure.checker);
}

async function report(seed: number, options: Options, result: Result): Promise<void> {
  const { failure } = result;
  if (failure === undefined) return;
  console.log(`\nseed ${seed} breaks ${failure.checker}: ${failure.message}`);
  console.log(`  ${describeOptions(options)}`);
  if (values.quick) return;
  const small = await shrink(seed, options, failure);
  console.log(`\nthe smallest that still breaks it:\n  ${describeOptions(small.options)}`);
  console.log(`\n${about(small.story, small.failure.message).slice(-STORY_LINES).join("\n")}`);
  console.log(`\n${small.failure.checker}: ${small.failure.message}`);
  if (await keepRegression({ seed, options: small.options, checker: failure.checker })) {
    console.log("kept in sim/regressions.txt");
  }
  console.log(`replay: npm run sim -- --seed ${seed} --runs 1 --story`);
}

/** The lines about what failed: its project and its issue, where the message names them. */
function about(story: string[], message: string): string[] {
  const project = /\bp\d\b/.exec(message)?.[0];
  const issue = /(?:dev-|p\d\/|#)(\d+)/.exec(message)?.[1];
  if (project === undefined || issue === undefined) return story;
  const marks = [`${project}/${issue}.`, `dev-${issue} of ${project}`, `#${issue} of ${project}`];
  const common = ["daemon ", "===", `queue:${project}`, `target of ${project}`];
  return story.filter((line) => [...marks, ...common].some((mark) => line.includes(mark)));
}

const summary = (result: Result): string =>
  `${result.landed} landed, ${result.kills} kills, ${result.events} commits, ${(result.simulatedMs / HOUR_MS).toFixed(1)} h` +
  (result.failure === undefined ? "" : ` FAILED ${result.failure.checker}`);

async function main(): Promise<boolean> {
  if (values.bench) return bench(Number(values.runs ?? 1));
  if (!values["skip-regressions"] && values.seed === undefined) {
    for (const { seed, options } of await readRegressions()) {
      if (!(await runOne(seed, options))) return false;
    }
  }
  const limitMs = limit();
  const runs =
    values.runs === undefined ? (limitMs === undefined ? 100 : Infinity) : Number(values.runs);
  const first = await firstSeed();
  // What the known ones took is not taken from the fresh ones.
  const knownMs = spentMs();
  for (let index = 0; index < runs; index += 1) {
    if (limitMs !== undefined && spentMs() - knownMs > limitMs) break;
    const seed = first + index;
    if (!(await runOne(seed, optionsFrom(seed)))) return false;
  }
  return true;
}

/** Of one, a quarter is the compiler's; several, one after the other, show what a hunt has of it. */
async function bench(runs: number): Promise<boolean> {
  for (let seed = 1; seed <= runs; seed += 1) {
    if (!(await runOne(seed, benchOptions()))) return false;
  }
  return true;
}

async function firstSeed(): Promise<number> {
  if (values.seed !== undefined) return Number(values.seed);
  const any = Math.floor(Math.random() * 2 ** 31);
  if (!values["of-tree"]) return any;
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "HEAD^{tree}"]);
    const seed = parseInt(stdout.slice(0, 7), 16);
    console.log(`fresh seeds from ${seed} on, which follows from the tree ${stdout.slice(0, 10)}`);
    return seed;
  } catch (error) {
    console.log(`this is no checkout of git, so the seeds begin anywhere: ${String(error)}`);
    return any;
  }
}

const spentMs = (): number =>
  values["cpu-seconds"] === undefined
    ? performance.now() - started
    : process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;

function limit(): number | undefined {
  if (values["cpu-seconds"] !== undefined) return Number(values["cpu-seconds"]) * 1000;
  if (values.seconds !== undefined) return Number(values.seconds) * 1000;
  if (values.minutes !== undefined) return Number(values.minutes) * 60_000;
  return undefined;
}

const ok = await main();
const tookMs = performance.now() - started;
// The processor's time, not the wall's: the machine may be busy with other things.
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1000;
const tenRunHours = totals.activeRunMs / HOUR_MS / 10;
console.log(
  `${ok ? "ok" : "FAILED"}: ${totals.runs} simulations, ${(totals.simulatedMs / HOUR_MS).toFixed(0)} simulated hours, ` +
    `${totals.landed} landings, ${totals.kills} kills, ${totals.events} commits in ${(tookMs / 1000).toFixed(1)} s ` +
    `(${(cpuMs / 1000).toFixed(1)} s of the processor, ${((tenRunHours / cpuMs) * 60_000).toFixed(0)} hours of 10 active runs per minute of a core)`,
);
process.exitCode = ok ? 0 : 1;
