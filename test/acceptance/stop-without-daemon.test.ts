// A person stops and retries a run while no daemon is there: the command does it, or says when it happens.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckpointView } from "../../src/api/checkpoints.ts";
import { isRunning, makeFactory, PATIENT_LIMITS, shellAgent, TEST_GATE } from "../support/pawl.ts";

/** Its last words are written when it is told to end. */
const WORKS = `
echo kept > kept.txt && git add kept.txt && git commit -qm "Keep"
trap 'echo "last words" > last.txt; exit 1' TERM
echo "by life $PAWL_EPOCH" >> draft.txt
: > "$SEEN/started-$PAWL_EPOCH"
while :; do sleep 0.1; done
`;

test("without a daemon, stop ends the agent and saves its work, and retry says when it continues", async () => {
  await using factory = await makeFactory({ files: { "agent.sh": WORKS } });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  factory.commit(
    { "pawl.toml": factory.config(`${agent}${TEST_GATE}${PATIENT_LIMITS}`) },
    "Configure",
  );
  await factory.addIssue({ title: "One" });
  await factory.addIssue({ title: "Two" });
  const seen = (name: string): boolean => existsSync(join(factory.root, name));
  const working = (issue: number) =>
    factory.until(`the agent of ${issue} works`, async () => {
      const run = await factory.runOf(issue);
      return seen("started-1") && run.alive && run.pid !== null && { ...run, pid: run.pid };
    });
  await factory.ok("up");
  const one = await working(1);
  const two = await working(2);
  await factory.ok("down");

  const stopped = await factory.pawl("stop", "1");
  expect(stopped.code, stopped.stderr).toBe(0);
  expect(stopped.stderr).toContain("its agent has ended");
  expect(isRunning(one.pid)).toBe(false);
  expect(isRunning(two.pid)).toBe(true);
  const list = await factory.ok("checkpoint", "list", "1", "--json");
  const saved = JSON.parse(list) as CheckpointView[];
  expect(saved[0]?.reason).toBe("session 1 ended");
  // What the agent committed before the first checkpoint is counted in it.
  const stat = await factory.ok("checkpoint", "diff", "1", "1", "--stat");
  expect(stat).toContain("kept.txt");
  expect(stat).toContain(` ${saved.at(-1)?.files} file`);

  const retried = await factory.pawl("retry", "1");
  expect(retried.code, retried.stderr).toBe(0);
  expect(retried.stderr).toContain("continues as soon as a daemon runs");
  expect(seen("started-2")).toBe(false);
  await factory.ok("up");
  await factory.until("the next life works", async () => seen("started-2"));
  expect(isRunning(two.pid)).toBe(true);
});
