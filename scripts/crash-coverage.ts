// Ends the real process at every crash point there is, against real tmux, git and SQLite, starts
// it again, and checks that nothing was lost and nothing happened twice. Prints the coverage.
// `node scripts/crash-coverage.ts [WORD…]` tries only points whose name contains a word. How to add
// a scenario: crash-coverage/scenario.ts.
import { SCENARIOS } from "./crash-coverage/all.ts";
import { allCrashPoints, crashedElsewhere } from "./crash-coverage/points.ts";
import type { Scenario } from "./crash-coverage/scenario.ts";
import { tellCommits, tellStory, trace, type Told } from "./crash-coverage/story.ts";

// More than the cores: a story mostly waits for its agents.
const AT_ONCE = 4;
/** How many deaths one story may hold. They lie apart: the points of a traced scenario are dealt out in turn. */
const DEATHS = 20;
/** A scenario that names its points begins with much, which is not done again for a few more deaths. */
const NAMED_DEATHS = 40;

type Story = { scenario: Scenario; points: string[] };
type Verdict = { point: string; wrong: string[] };

async function main(words: string[]): Promise<void> {
  const started = performance.now();
  const wanted = allCrashPoints().filter(
    (point) => words.length === 0 || words.some((word) => point.includes(word)),
  );
  const stories = await plan(wanted);
  const commits =
    words.length === 0 || words.includes("commits")
      ? SCENARIOS.filter((scenario) => scenario.commits !== undefined)
      : [];
  console.log(
    `${SCENARIOS.length} scenarios, ${stories.length} stories with deaths (${since(started)})`,
  );
  const verdicts: Verdict[] = [];
  const tell = async (story: Story): Promise<void> => {
    const from = performance.now();
    const own = await survive(story);
    verdicts.push(...own);
    console.log(`${story.scenario.name} (${since(from)})`);
    for (const verdict of own) print(verdict);
  };
  const die = async (scenario: Scenario): Promise<void> => {
    const own = await atCommits(scenario);
    verdicts.push(own);
    print(own);
  };
  // The longest first, so that all end together.
  const longest = stories.toSorted((a, b) => b.points.length - a.points.length);
  const jobs = [
    ...longest.map((story) => () => tell(story)),
    ...commits.map((scenario) => () => die(scenario)),
  ];
  await sideBySide(jobs, (job) => job());
  console.log(`(${since(started)})`);
  report(wanted, verdicts);
}

const since = (from: number): string => `${((performance.now() - from) / 1000).toFixed(0)} s`;

function print({ point, wrong }: Verdict): void {
  console.log(`  ${wrong.length === 0 ? "survived" : "FAILED  "}  ${point}`);
  for (const sentence of wrong) console.log(`              ${sentence}`);
}

async function plan(wanted: string[]): Promise<Story[]> {
  const stories = SCENARIOS.map(async (scenario) => {
    const points = await pointsOf(scenario, wanted);
    const count = Math.ceil(
      points.length / (scenario.points === undefined ? DEATHS : NAMED_DEATHS),
    );
    return Array.from({ length: count }, (_, first) => ({
      scenario,
      points: points.filter((_point, index) => index % count === first),
    }));
  });
  return (await Promise.all(stories)).flat();
}

async function pointsOf(scenario: Scenario, wanted: string[]): Promise<string[]> {
  const named = scenario.points;
  if (named !== undefined) return wanted.filter((point) => named.test(point));
  const { passed, wrong } = await trace(scenario);
  if (wrong.length > 0) throw new Error(`${scenario.name}, without a death: ${wrong.join("; ")}`);
  return passed.filter((point) => wanted.includes(point));
}

async function atCommits(scenario: Scenario): Promise<Verdict> {
  const { died, wrong } = await attempt(() => tellCommits(scenario));
  const point = `${scenario.name}: ${died.size} deaths at commits`;
  return { point, wrong: died.size === 0 ? ["nothing died", ...wrong] : wrong };
}

/** Points that were not passed get another story; where one goes wrong, each point gets a story of its own. */
async function survive({ scenario, points }: Story): Promise<Verdict[]> {
  const { died, wrong } = await attempt(() => tellStory(scenario, points));
  const survived = points.filter((point) => died.has(point));
  const missed = points.filter((point) => !died.has(point));
  const [first = "", ...rest] = points;
  if (rest.length === 0) {
    const absent = missed.map(() => "the process did not die there");
    return [{ point: first, wrong: [...absent, ...wrong] }];
  }
  if (wrong.length === 0 && survived.length > 0) {
    // Where one transaction passes two points, a process that died at the first never passes the second.
    const others = missed.length === 0 ? [] : await survive({ scenario, points: missed });
    return [...survived.map((point) => ({ point, wrong: [] })), ...others];
  }
  const verdicts: Verdict[] = [];
  for (const point of points) verdicts.push(...(await survive({ scenario, points: [point] })));
  if (wrong.length === 0 || verdicts.some((verdict) => verdict.wrong.length > 0)) return verdicts;
  const together = `only together with ${rest.join(", ")}`;
  return [{ point: first, wrong: [together, ...wrong] }, ...verdicts.slice(1)];
}

const attempt = (story: () => Promise<Told>): Promise<Told> =>
  story().catch((error: unknown) => ({ died: new Set(), wrong: [String(error)] }));

async function sideBySide<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function report(wanted: string[], verdicts: Verdict[]): void {
  const known = new Set(wanted);
  const tried = new Set(verdicts.map(({ point }) => point).filter((point) => known.has(point)));
  const named = crashedElsewhere();
  const elsewhere = wanted.filter((point) => !tried.has(point) && named.has(point));
  const missed = wanted.filter((point) => !tried.has(point) && !named.has(point));
  const failed = verdicts.filter(({ wrong }) => wrong.length > 0);
  for (const point of missed) console.log(`NOT REACHED  ${point}`);
  const covered = tried.size + elsewhere.length;
  const percent = ((covered / wanted.length) * 100).toFixed(0);
  console.log(
    `crash coverage: ${covered} of ${wanted.length} points (${percent} %): ${tried.size} here, ${elsewhere.length} by tests of their own; ${failed.length} not survived`,
  );
  console.log(
    `${verdicts.length} deaths or more, of which ${verdicts.length - tried.size} elsewhere`,
  );
  console.log(`${covered - failed.length} passed, ${failed.length + missed.length} failed`);
  process.exitCode = failed.length + missed.length === 0 ? 0 : 1;
}

await main(process.argv.slice(2));
