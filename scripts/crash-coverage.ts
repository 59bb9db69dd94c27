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
/** Deaths in one story. They lie apart: the points of a scenario are dealt out in turn. */
const DEATHS = 8;
/** Where a story begins with much: what is done is not done again for a few more deaths. */
const OWN_DEATHS = 16;

type Story = { scenario: Scenario; points: string[] };
type Verdict = { point: string; wrong: string[] };

async function main(words: string[]): Promise<void> {
  const started = performance.now();
  const wanted = allCrashPoints().filter(
    (point) => words.length === 0 || words.some((word) => point.includes(word)),
  );
  const stories = await plan(new Set(wanted));
  const commits = words.length === 0 || words.includes("commits") ? commitStories() : [];
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
  const die = async (story: Commits): Promise<void> => {
    const own = await atCommits(story);
    verdicts.push(own);
    print(own);
  };
  // The longest first: the one with a death at each step of each formula takes half of the time.
  const longest = stories.toSorted((a, b) => b.points.length - a.points.length);
  const jobs = [
    ...longest.map((story) => () => tell(story)),
    ...commits.map((story) => () => die(story)),
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

/** Every wanted point belongs to the first scenario that passes it. */
async function plan(wanted: Set<string>): Promise<Story[]> {
  const traced = new Map<Scenario, string[]>();
  await sideBySide(SCENARIOS, async (scenario) => {
    const { passed, wrong } = await trace(scenario);
    if (wrong.length > 0) throw new Error(`${scenario.name}, without a death: ${wrong.join("; ")}`);
    traced.set(scenario, passed);
  });
  const free = new Set(wanted);
  return SCENARIOS.flatMap((scenario) => {
    const passed = (traced.get(scenario) ?? []).filter((point) => wanted.has(point));
    const own = passed.filter(
      (point) => free.delete(point) || scenario.own?.points.test(point) === true,
    );
    const usual = scenario.own === undefined ? DEATHS : OWN_DEATHS;
    const count = Math.ceil(own.length / (scenario.deaths ?? usual));
    return Array.from({ length: count }, (_, first) => ({
      scenario,
      points: own.filter((_point, index) => index % count === first),
    }));
  });
}

type Commits = { scenario: Scenario; number: number };

const commitStories = (): Commits[] =>
  SCENARIOS.flatMap((scenario) =>
    Array.from({ length: scenario.own?.commits ?? 0 }, (_, index) => ({
      scenario,
      number: index + 1,
    })),
  );

async function atCommits({ scenario, number }: Commits): Promise<Verdict> {
  const { died, wrong } = await attempt(() => tellCommits(scenario, number));
  const point = `${scenario.name}: ${died.size} deaths at commits, round ${number}`;
  return { point, wrong: died.size === 0 ? ["nothing died", ...wrong] : wrong };
}

/** Where a story goes wrong, or a point was not passed in it, each point gets a story of its own. */
async function survive({ scenario, points }: Story): Promise<Verdict[]> {
  const told = await attempt(() => tellStory(scenario, points));
  const doubtful = told.wrong.length > 0 ? points : points.filter((point) => !told.died.has(point));
  const verdicts: Verdict[] = [];
  for (const point of points) {
    verdicts.push({ point, wrong: doubtful.includes(point) ? await alone(scenario, point) : [] });
  }
  if (told.wrong.length === 0 || verdicts.some(({ wrong }) => wrong.length > 0)) return verdicts;
  const [first = { point: "", wrong: [] }, ...rest] = verdicts;
  const together = `only together with ${points.slice(1).join(", ")}`;
  return [{ ...first, wrong: [together, ...told.wrong] }, ...rest];
}

async function alone(scenario: Scenario, point: string): Promise<string[]> {
  const { died, wrong } = await attempt(() => tellStory(scenario, [point]));
  return died.has(point) ? wrong : ["the process did not die there", ...wrong];
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
