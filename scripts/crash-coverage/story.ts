// One story with deaths in it: a scenario's commands are typed, the process is killed at every one
// of some crash points, each once, and typed again each time. What must be true at the end is
// checked once, after all of them.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Factory } from "../../test/support/pawl.ts";
import type { Scenario } from "./scenario.ts";

const KILLED = -1;
const REFUSED = 1;
const ENDED = new Set([0, 8]);
/** `run` commits much more often than the others: it dies later, and more often. */
const RUN = { deaths: 2, stride: 3 };

export type Told = { died: Set<string>; wrong: string[] };

/** Which points a scenario passes without a kill, in order. */
export async function trace(scenario: Scenario): Promise<{ passed: string[]; wrong: string[] }> {
  await using factory = await scenario.make();
  const file = join(factory.root, "trace");
  factory.env["PAWL_CRASH_TRACE"] = file;
  const failed = await typeAll(factory, scenario, async () => false);
  delete factory.env["PAWL_CRASH_TRACE"];
  const wrong = failed ?? (await scenario.check(factory));
  return { passed: [...new Set(readFileSync(file, "utf8").split("\n"))], wrong };
}

export async function tellStory(scenario: Scenario, points: string[]): Promise<Told> {
  await using factory = await scenario.make();
  const died = new Set<string>();
  arm(factory, points);
  const failed = await typeAll(factory, scenario, async () => {
    const at = placeOfDeath(factory);
    if (at === undefined) return false;
    died.add(at);
    arm(
      factory,
      points.filter((point) => !died.has(point)),
    );
    return true;
  });
  arm(factory, []);
  // Awaited here: the factory is gone when this function is left.
  return { died, wrong: failed ?? (await scenario.check(factory)) };
}

/** Every command is killed right before its n-th commit to the journal, and again right after it, for each n. */
export async function tellCommits(scenario: Scenario): Promise<Told> {
  await using factory = await scenario.make();
  const died = new Set<string>();
  for (const command of scenario.commands) {
    const points = commitsOf(command, scenario.commits ?? 0).flatMap((at) => [
      `journal.commit:before:${at}`,
      `journal.commit:after:${at}`,
    ]);
    const next = (): boolean => {
      const point = points.shift();
      factory.env["PAWL_CRASH_AT"] = point ?? "";
      return point !== undefined;
    };
    next();
    const failed = await typeAll(factory, { ...scenario, commands: [command] }, async () => {
      died.add(`${command.join(" ")} at ${factory.env["PAWL_CRASH_AT"] ?? ""}`);
      next();
      return true;
    });
    factory.env["PAWL_CRASH_AT"] = "";
    if (failed !== undefined) return { died, wrong: failed };
  }
  return { died, wrong: await scenario.check(factory) };
}

function commitsOf([word]: string[], count: number): number[] {
  const isRun = word === "run";
  const length = isRun ? RUN.deaths * count : count;
  return Array.from({ length }, (_, index) => (index + 1) * (isRun ? RUN.stride : 1));
}

/** Undefined where every command came to its end. */
async function typeAll(
  factory: Factory,
  { commands }: Scenario,
  again: () => Promise<boolean>,
): Promise<string[] | undefined> {
  for (const command of commands) {
    for (let deaths = 0; ; deaths += 1) {
      const { code, stderr } = await factory.background(...command).ended;
      // What was done before it was killed is done: it need not be done again.
      if (ENDED.has(code) || (code === REFUSED && deaths > 0)) break;
      if (code === KILLED && (await again())) continue;
      return [`pawl ${command.join(" ")} ended with ${code}: ${stderr}`];
    }
  }
  return undefined;
}

const deathsIn = ({ root }: Factory): string => join(root, "death");

/** The process notes where it ends, so that one that died by itself is known. */
function arm(factory: Factory, points: string[]): void {
  rmSync(deathsIn(factory), { force: true });
  factory.env["PAWL_CRASH_AT"] = points.map((point) => `${point}:1`).join(",");
  factory.env["PAWL_CRASH_TRACE"] = points.length > 0 ? deathsIn(factory) : "";
}

function placeOfDeath(factory: Factory): string | undefined {
  try {
    return readFileSync(deathsIn(factory), "utf8").trim();
  } catch {
    return undefined;
  }
}
