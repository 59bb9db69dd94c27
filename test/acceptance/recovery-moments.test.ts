// An agent that dies at a random moment while it writes, and a daemon that dies at each step of
// resuming it: nothing that was written is lost, and one successor starts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPrng } from "../../src/lib/prng.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";
import { contentOf, lifeOf, stateOf, untidyFactory } from "../support/untidy-agent.ts";

const seed = Number(process.env["PAWL_SEED"] ?? Date.now() % 1_000_000);

/** Writes numbers without a pause and says, outside the workspace, how far it has come. */
const WRITER = `
: > "$SEEN/started-$PAWL_EPOCH"
n=$(cat "$SEEN/count" 2>/dev/null || echo 0)
while [ ! -e "$SEEN/go" ]; do
  n=$((n + 1)); mkdir -p "out/$((n % 7))"
  echo "$n" > "out/$((n % 7))/$n.txt"
  [ $((n % 40)) -ne 0 ] || { git add -A; git commit -qm "$n"; }
  echo "$n" > "$SEEN/count.tmp"; mv "$SEEN/count.tmp" "$SEEN/count"
done
git add -A; git commit -qm "The end"; printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

test(`an agent killed at random moments while it writes loses nothing (PAWL_SEED=${seed})`, async () => {
  console.log(`PAWL_SEED=${seed}`);
  const prng = createPrng(seed);
  await using factory = await makeFactory({ files: { "agent.sh": WRITER } });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  const limits = `${LIMITS}crashes = 50\n`;
  factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${limits}`) }, "Configure");
  await factory.addIssue({ title: "Write" });
  await factory.ok("up");
  const lives = 2;
  for (let epoch = 1; epoch <= lives; epoch += 1) {
    const run = await factory.until(`life ${epoch} works`, async () => {
      const now = await factory.runOf(1);
      const begun = existsSync(join(factory.root, `started-${epoch}`));
      return begun && now.epoch === epoch && now.pid !== null && now;
    });
    // The moment itself is what is tested.
    await wait(prng.int(2_500));
    process.kill(epoch % 2 === 0 ? lifeOf(run).wrapper : lifeOf(run).agent, "SIGKILL");
    // A second death in a row is followed by a pause; a person need not wait for it.
    if (epoch > 1) await factory.ok("retry", "1");
  }
  await factory.until("the last life works", async () =>
    existsSync(join(factory.root, `started-${lives + 1}`)),
  );
  writeFileSync(join(factory.root, "go"), "");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  const count = Number(readFileSync(join(factory.root, "count"), "utf8"));
  expect(count).toBeGreaterThan(0);
  const names = new Set(factory.git("ls-tree", "-r", "--name-only", "main").split("\n"));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !names.has(`out/${number % 7}/${number}.txt`),
  );
  expect(missing).toEqual([]);
});

test.each([
  "journal.commit:before",
  "terminal.end:before",
  "terminal.end.leftovers",
  "terminal.end:after",
  "git.checkpoint:before",
  "git.checkpoint.commit-written",
  "git.checkpoint:after",
  "git.prepareWorkspace:before",
  "session-files.prepare:after",
  "publisher.publish:before",
  "terminal.spawn:before",
  "terminal.spawn.session",
  "terminal.spawn:after",
])("a daemon that dies at %s while it resumes an agent resumes it all the same", async (point) => {
  await using factory = await untidyFactory();
  const first = factory.background("daemon");
  const run = await factory.untidy();
  const before = { content: contentOf(run.worktree_path), state: stateOf(run.worktree_path) };
  first.kill("SIGKILL");
  await first.ended;
  process.kill(lifeOf(run).agent, "SIGKILL");
  factory.env["PAWL_CRASH_AT"] = `${point}:1`;
  const dying = factory.background("daemon");
  await dying.ended;
  delete factory.env["PAWL_CRASH_AT"];
  factory.background("daemon");
  await factory.successor();
  expect(contentOf(run.worktree_path)).toEqual(before.content);
  expect(stateOf(run.worktree_path)).toBe(before.state);
  expect(await factory.runOf(1)).toMatchObject({ epoch: 2, outcome: null });
  // The daemon, an agent of its own kind, has crashed as well.
  const crashes = await factory.client.get<{ identity: string }[]>(
    "/v1/signals?kind=AGENT_CRASHED",
  );
  expect(crashes.filter(({ identity }) => identity === "dev-1")).toHaveLength(1);
});
