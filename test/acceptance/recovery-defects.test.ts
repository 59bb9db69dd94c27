// Defects that were reproduced in other tools, as claims about this one.
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isRunning, LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

/** Commits once, leaves a draft, and goes on when it is let. */
const SLOW_MACHINE = `
: > "$SEEN/started-$PAWL_ISSUE-$PAWL_EPOCH"
echo "draft of $PAWL_ISSUE" > "draft-$PAWL_ISSUE.txt"
until [ -e "$SEEN/go" ]; do sleep 0.05; done
git add -A && git commit -qm "Work on $PAWL_ISSUE" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

async function brokenFactory(more = "") {
  const factory = await makeFactory({ files: { "agent.sh": SLOW_MACHINE } });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  const config = `${agent}${TEST_GATE}${LIMITS}${more}`;
  factory.commit({ "pawl.toml": factory.config(config) }, "Configure");
  const seen = (name: string): boolean => existsSync(join(factory.root, name));
  const started = (issue: number, epoch = 1) =>
    factory.until(`life ${epoch} of ${issue} works`, async () => {
      const run = await factory.runOf(issue);
      return seen(`started-${issue}-${epoch}`) && run.pid !== null && run.epoch === epoch && run;
    });
  const go = (): void => writeFileSync(join(factory.root, "go"), "");
  return { ...factory, seen, started, go };
}

test("defect 2: SIGTERM to the daemon ends no agent and removes no workspace", async () => {
  await using factory = await brokenFactory();
  for (const title of ["One", "Two", "Three"]) await factory.addIssue({ title });
  const daemon = factory.background("daemon");
  const runs = await Promise.all([1, 2, 3].map((issue) => factory.started(issue)));
  daemon.kill("SIGTERM");
  expect((await daemon.ended).code).toBe(0);
  for (const run of runs) {
    expect(isRunning(run.pid ?? 0), run.identity).toBe(true);
    const draft = join(run.worktree_path, `draft-${run.issue}.txt`);
    expect(existsSync(draft), draft).toBe(true);
  }
});

test("defect 4: checkpoints are on no branch, in no PR and not on the target", async () => {
  await using factory = await brokenFactory('[merge]\nstrategy = "merge"\n');
  await factory.addIssue({ title: "One" });
  await factory.ok("up");
  const run = await factory.started(1);
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  const saved = await factory.until("a checkpoint is made", async () => {
    const [newest] = JSON.parse(await factory.ok("checkpoint", "list", "1", "--json")) as {
      commit: string;
    }[];
    return newest?.commit;
  });
  expect(factory.gitIn(run.worktree_path, "log", "--all", "--format=%s")).not.toContain(
    "checkpoint",
  );
  factory.go();
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  const onTarget = factory.git("log", "--format=%H %s", "main");
  expect(onTarget).toContain("Work on 1");
  expect(onTarget).not.toContain("checkpoint");
  expect(onTarget).not.toContain(saved);
  const branches = factory.gitIn(hub, "for-each-ref", "--contains", saved, "--format=%(refname)");
  expect(branches.split("\n").every((ref) => ref.startsWith("refs/pawl/"))).toBe(true);
});

test("defect 5: a branch without a commit has not landed, and a squashed one has", async () => {
  await using factory = await makeFactory({
    files: {
      "agent.sh": `
if [ "$PAWL_ISSUE" = 2 ]; then echo 2 > two.txt; git add -A; git commit -qm "A"
  echo 3 >> two.txt; git commit -qam "B"; printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"; exit 0; fi
printf 'PHASE:done\\n' > "$PAWL_PHASE_FILE"; sleep 1000
`,
    },
    config: `${shellAgent()}${TEST_GATE}[merge]\nstrategy = "squash"\n${LIMITS}`,
  });
  await factory.addIssue({ title: "Say done and do nothing" });
  await factory.addIssue({ title: "Be squashed" });
  await factory.ok("up");
  const squashed = await factory.until("the squashed one lands", async () => {
    const run = await factory.runOf(2);
    return run.outcome === "landed" && run.stage === "ended" && run;
  });
  expect(factory.subjects().at(-1)).toContain("Be squashed");
  expect(existsSync(squashed.worktree_path)).toBe(false);
  const idle = await factory.until("the other is told", async () => {
    const run = await factory.runOf(1);
    return run.messages.some(({ kind }) => kind === "notice") && run;
  });
  expect(idle.outcome).toBeNull();
  expect(existsSync(idle.worktree_path)).toBe(true);
});

test("defect 12: what an earlier life says changes nothing for the one that works now", async () => {
  await using factory = await brokenFactory();
  await factory.addIssue({ title: "One" });
  await factory.ok("up");
  const first = await factory.started(1);
  process.kill(first.pid ?? 0, "SIGKILL");
  const second = await factory.started(1, 2);
  const old = join(dirname(first.log_path), "1");
  writeFileSync(join(old, "phase"), "PHASE:failed\nReason: from the grave\n");
  writeFileSync(join(old, "spool", "new", "late.json"), '{"v":1,"kind":"tool","at":1}');
  writeFileSync(join(old, "exit.json"), '{"code":0,"signal":null,"startedAt":1,"endedAt":2}\n');
  // Everything before it has been processed once the next report of the living agent has been.
  factory.go();
  const landed = await factory.until("it lands", async () => {
    const run = await factory.runOf(1);
    return run.outcome === "landed" && run;
  });
  expect(landed).toMatchObject({ epoch: 2, pid: second.pid });
  expect(await factory.client.get("/v1/signals?kind=AGENT_CRASHED")).toHaveLength(1);
});
