// kill -9 of the daemon at random moments: nothing is lost, nothing lands twice, no agent notices.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunView } from "../../src/api/runs.ts";
import { createPrng } from "../../src/lib/prng.ts";
import {
  isRunning,
  LIMITS,
  makeFactory,
  SCRIPT_AGENT,
  TEST_GATE,
  type Factory,
} from "../support/pawl.ts";

const KILLS = 20;
const seed = Number(process.env["PAWL_SEED"] ?? Date.now() % 1_000_000);

const work = (name: string): string => `\`\`\`sh\necho ${name} > ${name}.txt\nsleep 0.5\n\`\`\`\n`;

const ISSUES = [
  ...["one", "two", "three", "four", "five"].map((name) => ({
    title: `Add ${name}`,
    body: work(name),
  })),
  {
    title: "Add a mistake and fix it",
    body: `${work("mistake")}\n\`\`\`sh on-ci-failure\nmv mistake.txt fixed.txt\n\`\`\`\n`,
  },
  { title: "Build on the first", body: work("after"), dependsOn: [1, 2] },
];

test(
  `a daemon killed ${KILLS} times goes on every time (PAWL_SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    console.log(`PAWL_SEED=${seed}`);
    const prng = createPrng(seed);
    await using factory = await makeFactory({
      config: `${SCRIPT_AGENT}${TEST_GATE}[merge]\nstrategy = "squash"\n${LIMITS}`,
      files: { "test.sh": "[ ! -e mistake.txt ]\n" },
    });
    for (const issue of ISSUES) await factory.addIssue(issue);
    let witnesses = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const daemon = factory.background("daemon");
      // Some while it starts, most after so many further facts: on a busy machine a time would
      // always come too early. The moment itself is what is tested.
      if (prng.chance(0.2)) await wait(prng.int(900));
      else await progress(factory, 1 + prng.int(15));
      const living = await livingAgents(factory);
      daemon.kill("SIGKILL");
      await daemon.ended;
      for (const run of living) expect(liveOrDone(run), JSON.stringify(run)).toBe(true);
      witnesses += living.length;
    }
    console.log(`${factory.subjects().length} of ${ISSUES.length} landed under fire`);
    expect(witnesses).toBeGreaterThan(0);
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(code, stderr).toBe(0);
    const titles = ISSUES.map(({ title }, index) => `${title} (#${index + 1})`);
    expect(factory.subjects().toSorted()).toEqual(titles.toSorted());
    expect(factory.subjects().indexOf("Build on the first (#7)")).toBeGreaterThan(1);
    const { runs } = await factory.status();
    expect(runs.map(({ issue, epoch, outcome }) => ({ issue, epoch, outcome }))).toEqual(
      ISSUES.map((_, index) => ({ issue: index + 1, epoch: 1, outcome: "landed" })),
    );
    // Only the daemon crashed, as often as it was killed at work.
    const crashed = await factory.client.get<{ identity: string }[]>(
      "/v1/signals?kind=AGENT_CRASHED",
    );
    expect(crashed.filter(({ identity }) => !identity.startsWith("daemon-"))).toEqual([]);
  },
);

/** Resolves when the journal has taken in so many further facts, or nothing is left to do. */
async function progress(factory: Factory, facts: number): Promise<void> {
  await factory.until("it serves", async () => (await factory.status()).daemon !== null);
  using journal = new DatabaseSync(join(factory.home, "pawl.db"), { readOnly: true });
  const newest = journal.prepare("SELECT coalesce(max(seq), 0) AS seq FROM events");
  const seq = (): number => Number(newest.get()?.["seq"]);
  const wanted = seq() + facts;
  await factory.until(`${facts} further facts`, async () => {
    return seq() >= wanted || (await factory.status()).idle;
  });
}

async function livingAgents(factory: Factory): Promise<RunView[]> {
  try {
    return (await factory.status()).runs.filter((run) => run.alive && run.pid !== null);
  } catch {
    // The daemon was not serving yet, and the journal perhaps not made.
    return [];
  }
}

/** Alive, or ended by itself: its own record says so. */
function liveOrDone(run: RunView): boolean {
  if (run.pid !== null && isRunning(run.pid)) return true;
  const record = join(dirname(run.log_path), String(run.epoch), "exit.json");
  if (!existsSync(record)) return false;
  const exit = JSON.parse(readFileSync(record, "utf8")) as { code: number | null };
  return exit.code === 0 || run.outcome === "landed";
}
