// Ends the real process at every crash point there is, against real tmux, git and SQLite, starts
// it again, and checks that nothing was lost and nothing happened twice. Prints the coverage.
// `node scripts/crash-coverage.ts [WORD…]` tries only points whose name contains a word.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Factory } from "../test/support/pawl.ts";
import { allCrashPoints, crashedElsewhere, NOT_YET } from "./crash-coverage/points.ts";
import { SCENARIOS, type Scenario } from "./crash-coverage/scenarios.ts";

// More than the cores: a trial mostly waits for its agents.
const AT_ONCE = 3;
/** A killed command is typed again; more often than this means that it dies by itself. */
const TYPED_MAX = 5;
const ENDED = new Set([0, 8]);

type Trial = { point: string; scenario: Scenario };
type Verdict = { trial: Trial; wrong: string[] };

/** Which points a scenario passes when nobody is killed. */
async function passedBy(scenario: Scenario): Promise<{ passed: Set<string>; wrong: string[] }> {
  await using factory = await scenario.make();
  const trace = join(factory.root, "trace");
  factory.env["PAWL_CRASH_TRACE"] = trace;
  for (const command of scenario.commands) await type(factory, command);
  delete factory.env["PAWL_CRASH_TRACE"];
  const wrong = await scenario.check(factory);
  return { passed: new Set(readFileSync(trace, "utf8").split("\n")), wrong };
}

async function attempt({ point, scenario }: Trial): Promise<string[]> {
  await using factory = await scenario.make();
  factory.env["PAWL_CRASH_AT"] = `${point}:1`;
  let died = false;
  for (const command of scenario.commands) {
    for (let typed = 0; typed < TYPED_MAX; typed += 1) {
      const { code, stderr } = await type(factory, command);
      // Once it died, the point has done its work; the next start must survive by itself.
      if (code === -1) delete factory.env["PAWL_CRASH_AT"];
      died ||= code === -1;
      if (ENDED.has(code)) break;
      if (code !== -1) return [`pawl ${command.join(" ")} exited ${code}: ${stderr}`];
    }
  }
  // Awaited here: the factory is gone when this function is left.
  return died ? await scenario.check(factory) : ["the process did not die there"];
}

const type = (factory: Factory, command: string[]) => factory.background(...command).ended;

async function main(words: string[]): Promise<void> {
  const points = allCrashPoints();
  const reached = new Map<string, Scenario>();
  for (const scenario of SCENARIOS) {
    const { passed, wrong } = await passedBy(scenario);
    for (const sentence of wrong) throw new Error(`${scenario.name}, without a crash: ${sentence}`);
    for (const point of points)
      if (passed.has(point) && !reached.has(point)) reached.set(point, scenario);
  }
  const wanted = points.filter(
    (point) => words.length === 0 || words.some((word) => point.includes(word)),
  );
  const trials = wanted.flatMap((point) => {
    const scenario = reached.get(point);
    return scenario === undefined ? [] : [{ point, scenario }];
  });
  const verdicts = await inLanes(trials);
  report({ wanted, verdicts });
}

async function inLanes(trials: Trial[]): Promise<Verdict[]> {
  const left = [...trials];
  const verdicts: Verdict[] = [];
  const lane = async (): Promise<void> => {
    for (let trial = left.shift(); trial !== undefined; trial = left.shift()) {
      const wrong = await attempt(trial).catch((error: unknown) => [String(error)]);
      verdicts.push({ trial, wrong });
      console.log(
        `${wrong.length === 0 ? "survived" : "FAILED  "}  ${trial.point}  (${trial.scenario.name})`,
      );
      for (const sentence of wrong) console.log(`          ${sentence}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return verdicts;
}

function report({ wanted, verdicts }: { wanted: string[]; verdicts: Verdict[] }): void {
  const tried = new Set(verdicts.map(({ trial }) => trial.point));
  const named = crashedElsewhere();
  const elsewhere = wanted.filter((point) => !tried.has(point) && named.has(point));
  const rest = wanted.filter((point) => !tried.has(point) && !named.has(point));
  const missed = rest.filter((point) => !NOT_YET.has(point));
  const failed = verdicts.filter(({ wrong }) => wrong.length > 0);
  for (const point of missed) console.log(`NOT REACHED  ${point}`);
  for (const point of rest)
    console.log(`not yet      ${point}: ${NOT_YET.get(point) ?? "nobody knows how"}`);
  const covered = tried.size + elsewhere.length;
  const percent = ((covered / wanted.length) * 100).toFixed(0);
  console.log(
    `crash coverage: ${covered} of ${wanted.length} points (${percent} %): ${tried.size} here, ${elsewhere.length} by tests of their own; ${failed.length} not survived`,
  );
  console.log(`${covered - failed.length} passed, ${failed.length + missed.length} failed`);
  process.exitCode = failed.length + missed.length === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
