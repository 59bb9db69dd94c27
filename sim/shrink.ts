// Makes a failure smaller: fewer projects, fewer issues, less time, fewer faults, as long as the
// same checker still sees something.
import { FAULT_NAMES } from "./fault-rates.ts";
import type { Options } from "./options.ts";
import { simulate } from "./simulate.ts";
import type { Failure } from "./world.ts";

const TRIES_MAX = 100;
const TIME_MAX_MS = 60_000;

export type Smallest = { options: Options; failure: Failure; story: string[] };

export async function shrink(seed: number, options: Options, failure: Failure): Promise<Smallest> {
  let best = options;
  let tries = 0;
  const startedMs = performance.now();
  const stillFails = async (candidate: Options): Promise<boolean> => {
    tries += 1;
    if (tries > TRIES_MAX || performance.now() - startedMs > TIME_MAX_MS) return false;
    const result = await simulate(seed, candidate, { story: false });
    return result.failure?.checker === failure.checker;
  };
  for (const smaller of candidates()) {
    const candidate = smaller(best);
    if (candidate !== undefined && (await stillFails(candidate))) best = candidate;
  }
  const last = await simulate(seed, best, { story: true });
  return { options: best, failure: last.failure ?? failure, story: last.story };
}

/** What can be left out of the world. */
const SWITCHES = [
  "reviewRole",
  "reviewRequired",
  "chores",
  "actions",
  "tight",
  "budget",
  "strangers",
  "strangerActs",
  "operators",
] as const;

type Smaller = (options: Options) => Options | undefined;

function candidates(): Smaller[] {
  const number = (
    name: "projects" | "issues" | "parallel" | "safetyHours" | "lanes",
  ): Smaller[] => [
    (options) => (options[name] > 1 ? { ...options, [name]: 1 } : undefined),
    (options) =>
      options[name] > 2 ? { ...options, [name]: Math.floor(options[name] / 2) } : undefined,
  ];
  return [
    ...number("projects"),
    ...number("issues"),
    ...number("parallel"),
    (options) => (options.newIssues > 0 ? { ...options, newIssues: 0 } : undefined),
    ...SWITCHES.map((name): Smaller => {
      return (options) => (options[name] === true ? { ...options, [name]: false } : undefined);
    }),
    (options) => ((options.formulas ?? 0) > 0 ? { ...options, formulas: 0 } : undefined),
    (options) => ((options.tasks ?? 0) > 0 ? { ...options, tasks: 0 } : undefined),
    ...FAULT_NAMES.map((name): Smaller => {
      return (options) =>
        options.rates[name] > 0
          ? { ...options, rates: { ...options.rates, [name]: 0 } }
          : undefined;
    }),
    ...number("lanes"),
    ...number("safetyHours"),
  ];
}
