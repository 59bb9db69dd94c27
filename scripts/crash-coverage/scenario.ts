// What a scenario is, and what several of them check. A scenario is a small real story: how it
// begins, which commands are typed, and what must be true at the end, for every kill on the
// way. To add one: a file in scenarios/, one line in all.ts. A new crash point that the first
// scenario does not pass is named by another one. `node scripts/crash-coverage.ts WORD` tries only the
// points whose name contains the word.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Factory } from "../../test/support/pawl.ts";

export type Scenario = {
  name: string;
  make(): Promise<Factory>;
  /** Typed in order; one that is killed is typed again, and may then find that it is done. */
  commands: string[][];
  /**
   * The crash points that it is killed at. A scenario without them is traced first, and is killed at
   * every point that it passes.
   */
  points?: RegExp;
  /** In one more story, each command is killed around its first, second … commit to the journal, up to this number. */
  commits?: number;
  /** Sentences about what is wrong. */
  check(factory: Factory): Promise<string[]>;
};

export const GATE = {
  "test.sh": "for t in tests/*.sh; do sh $t || exit 1; done\n",
  "tests/a.sh": "true\n",
};

/** The block of an issue for the script agent: a file, and a test that wants it. */
export const work = (name: string): string =>
  `\`\`\`sh\necho ${name} > ${name}.txt\necho '[ -s ${name}.txt ]' > tests/${name}.sh\n\`\`\`\n`;

export async function landed(
  factory: Factory,
  wanted: { titles: string[]; runs?: number; ref: string; in: string },
): Promise<string[]> {
  const subjects = factory
    .gitIn(wanted.in, "log", "--first-parent", "--format=%s", wanted.ref)
    .split("\n")
    .slice(0, -1);
  const { runs } = await factory.status();
  /** What people committed themselves is on the target too. */
  const count = wanted.runs ?? wanted.titles.length;
  const prs = await factory.client.get<unknown[]>("/v1/prs?state=all");
  const issues =
    await factory.client.get<{ state: string; labels: string[] }[]>("/v1/issues?state=all");
  return [
    ...expectEqual("each issue landed once", subjects.toSorted(), wanted.titles.toSorted()),
    ...expectEqual(
      "each run landed",
      runs.map((run) => run.outcome),
      Array.from({ length: count }, () => "landed"),
    ),
    ...expectEqual("one PR for each", prs.length, count),
    ...expectEqual(
      "issues are closed",
      issues.map(({ state }) => state),
      Array.from({ length: count }, () => "closed"),
    ),
    ...expectEqual(
      "issues have no label left",
      issues.flatMap(({ labels }) => labels),
      [],
    ),
    ...gates(factory, wanted),
    ...(await nothingLeft(factory)),
  ];
}

/** The gate is run again on every commit the target ever had. */
export function gates(factory: Factory, wanted: { ref: string; in: string }): string[] {
  const commits = factory
    .gitIn(wanted.in, "log", "--first-parent", "--format=%H", wanted.ref)
    .split("\n");
  return commits.flatMap((commit) => {
    const folder = join(factory.root, "proof", commit);
    mkdirSync(folder, { recursive: true });
    const archive = `${folder}.tar`;
    factory.gitIn(wanted.in, "archive", "-o", archive, commit);
    return red(factory, folder, archive) ? [`the target was red at ${commit}`] : [];
  });
}

function red(factory: Factory, folder: string, archive: string): boolean {
  return factory.shell(`tar xf "$1" -C "$2" && cd "$2" && sh test.sh`, archive, folder) !== 0;
}

async function nothingLeft(factory: Factory): Promise<string[]> {
  const project = join(factory.home, "projects", factory.project);
  return [
    ...expectEqual("no workspace is left", readdirSync(join(project, "workspaces")), []),
    ...(await noProcessLeft(factory)),
  ];
}

/** A git that the command was still running when it exited ends a moment later. */
export async function noProcessLeft(factory: Factory): Promise<string[]> {
  try {
    await factory.nothingLeft();
    return [];
  } catch {
    return expectEqual("no process is left", factory.leftovers(), []);
  }
}

export function expectEqual(claim: string, found: unknown, wanted: unknown): string[] {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  return a === b ? [] : [`${claim}: found ${a}, wanted ${b}`];
}
