// What people may say to a factory at work: review, stop, hold, answer, close, reconfigure.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning, LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

const REVIEWED = `
cp "$PAWL_PROMPT_FILE" "$HOME/prompt-$PAWL_EPOCH"
echo "life $PAWL_EPOCH" >> work.txt
git add -A && git commit -qm "Life $PAWL_EPOCH" && printf 'PHASE:awaiting_review\\n' > "$PAWL_PHASE_FILE"
`;

test("where a review is required, nothing lands before it is approved", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}[review]\nrequired = true\n${LIMITS}`,
    files: { "agent.sh": REVIEWED },
  });
  await factory.ok("issue", "add", "--title", "Be reviewed");
  const waiting = await factory.pawl("run", "--until-idle");
  expect(waiting.code, waiting.stderr).toBe(8);
  expect(waiting.stderr).toMatch(/pawl pr review \d+ --approve/);
  await factory.ok("up");
  const inReview = async (head: string | null) =>
    factory.until("it waits for a review", async () => {
      const run = await factory.runOf(1);
      return run.stage === "reviewing" && run.head !== head && run;
    });
  const first = await inReview(null);
  expect(factory.subjects()).toEqual([]);
  const prs = JSON.parse(await factory.ok("pr", "list", "--json")) as { number: number }[];
  const pr = String(prs[0]?.number);
  factory.write({ "../review.md": "Say it twice.\n" });
  const body = ["--body-file", join(factory.root, "review.md")];
  await factory.ok("pr", "review", pr, "--request-changes", ...body);

  await inReview(first.head);
  expect(factory.read("user", "prompt-2")).toContain("Say it twice.");
  expect(factory.subjects()).toEqual([]);
  await factory.ok("pr", "review", pr, "--approve");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(factory.git("show", "main:work.txt")).toBe("life 1\nlife 2");
  const { code, stderr } = await factory.pawl("pr", "review", pr, "--approve");
  expect(code, stderr).toBe(1);
});

/** Works until a file of its number appears, and shows what it found in its workspace. */
const SLOW_MACHINE = `
cat .env > "$HOME/env-$ISSUE"; cat prepared > "$HOME/prepared-$ISSUE"
echo "$PAWL_PORT $PAWL_PORT_COUNT" > "$HOME/ports-$ISSUE"
echo "$PAWL_EPOCH" > "$HOME/started-$ISSUE"
until [ -e "$HOME/go-$ISSUE" ]; do sleep 0.05; done
echo "$ISSUE" > "done-$ISSUE.txt"
git add -A && git commit -qm "Issue $ISSUE" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

const WORKSPACE = `[workspace]
setup = "echo ready > prepared"
teardown = "touch $HOME/torn-down"
copy = [".env"]
ports_first = 4200
ports_count = 10
`;

async function brokenFactory() {
  const factory = await makeFactory({
    parallel: 2,
    config: `${shellAgent()}[ci]\nnone = true\n${WORKSPACE}${LIMITS}`,
    files: { "agent.sh": SLOW_MACHINE, ".gitignore": ".env\nprepared\n" },
  });
  factory.write({ ".env": "SECRET=of the user\n" });
  const file = (name: string): string => join(factory.root, "user", name);
  const epochOf = (issue: number): number =>
    existsSync(file(`started-${issue}`))
      ? Number(readFileSync(file(`started-${issue}`), "utf8"))
      : 0;
  return {
    ...factory,
    file,
    epochOf,
    go: (issue: number): void => writeFileSync(file(`go-${issue}`), ""),
    works: (issue: number, epoch = 1): Promise<true> =>
      factory.until(`epoch ${epoch} works on issue ${issue}`, async () => epochOf(issue) === epoch),
    outcome: (issue: number, wanted: string): Promise<true> =>
      factory.until(`issue ${issue} is ${wanted}`, async () => {
        return (await factory.runOf(issue)).outcome === wanted;
      }),
  };
}

test("places are limited, dependencies come first, and workspaces are set up as configured", async () => {
  await using factory = await brokenFactory();
  for (const title of ["One", "Two", "Three"]) await factory.ok("issue", "add", "--title", title);
  await factory.ok("issue", "add", "--title", "Four", "--depends-on", "3");
  await factory.ok("up");
  await factory.works(1);
  await factory.works(2);
  expect((await factory.status()).runs).toHaveLength(2);
  expect(await factory.ok("why", "3")).toContain("all 2 places are taken by #1, #2");
  expect(await factory.ok("why", "4")).toContain("waits for #3");

  expect(readFileSync(factory.file("env-1"), "utf8")).toBe("SECRET=of the user\n");
  expect(readFileSync(factory.file("prepared-2"), "utf8")).toBe("ready\n");
  const ports = [1, 2].map((issue) => readFileSync(factory.file(`ports-${issue}`), "utf8"));
  expect(ports.toSorted()).toEqual(["4200 10\n", "4210 10\n"]);

  factory.go(1);
  await factory.outcome(1, "landed");
  await factory.works(3);
  expect(factory.epochOf(4)).toBe(0);
  factory.go(2);
  factory.go(3);
  await factory.works(4);
  factory.go(4);
  await factory.outcome(4, "landed");
  await factory.until("everything is cleared away", async () => (await factory.status()).idle);
  expect(existsSync(factory.file("torn-down"))).toBe(true);
  expect(factory.subjects().indexOf("Issue 4")).toBeGreaterThan(
    factory.subjects().indexOf("Issue 3"),
  );
  expect(factory.git("ls-tree", "--name-only", "main")).not.toContain(".env");
});

test("people stop, retry, hold, release and close; none of it loses work", async () => {
  await using factory = await brokenFactory();
  await factory.ok("up");
  await factory.ok("issue", "add", "--title", "One");
  await factory.ok("issue", "add", "--title", "Two");
  await factory.works(1);
  await factory.works(2);
  const pidOf = async (issue: number): Promise<number> => (await factory.runOf(issue)).pid ?? 0;

  const stopped = await pidOf(1);
  await factory.ok("stop", "1");
  await factory.until("the agent has ended", async () => !(await factory.runOf(1)).alive);
  expect(isRunning(stopped)).toBe(false);
  expect((await factory.runOf(1)).epoch).toBe(1);
  // A report that the agent never made is not expected any more.
  const why = await factory.ok("why", "1");
  expect(why).toMatch(/^its agent \(dev-1\) has been ended$/m);
  expect(why).toContain("`pawl retry 1` resumes it");
  expect(why).not.toContain("has not reported");
  const since = async (): Promise<number> => Date.parse((await factory.runOf(1)).doing_since ?? "");
  const stoppedAt = await since();
  expect(stoppedAt).toBeGreaterThan(Date.parse((await factory.runOf(1)).requested_at));
  await factory.ok("retry", "1");
  await factory.works(1, 2);
  expect(await since()).toBeGreaterThan(stoppedAt);

  await factory.ok("hold", "2");
  process.kill(await pidOf(2), "SIGKILL");
  await factory.until("its end is seen", async () => !(await factory.runOf(2)).alive);
  expect((await factory.runOf(2)).epoch).toBe(1);
  expect((await factory.runOf(2)).doing).toContain("held");
  await factory.ok("release", "2");
  await factory.works(2, 2);

  const closed = await pidOf(2);
  await factory.ok("issue", "close", "2");
  await factory.outcome(2, "closed");
  await factory.until("its agent has ended", async () => !isRunning(closed));
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  await factory.until("its work is saved", async () =>
    factory.gitIn(hub, "for-each-ref", "refs/pawl/checkpoints/").includes("dev-2"),
  );
  factory.go(1);
  await factory.outcome(1, "landed");
  expect(factory.subjects()).toEqual(["Issue 1"]);
});

const ASKING = `
printf 'PHASE:escalate\\nReason: which colour?\\n' > "$PAWL_PHASE_FILE"
until grep -h answers "$PAWL_INBOX"/new/* >/dev/null 2>&1; do sleep 0.05; done
grep -h blue "$PAWL_INBOX"/new/* > colour.txt; mv "$PAWL_INBOX"/new/* "$PAWL_INBOX/cur/"
git add -A && git commit -qm "Choose" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

test("an agent's question waits for a person, and the answer reaches the living agent", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": ASKING },
  });
  await factory.ok("issue", "add", "--title", "Paint it");
  const asked = await factory.pawl("run", "--until-idle");
  expect(asked.code, asked.stderr).toBe(8);
  expect(asked.stderr).toContain("which colour?");
  expect(asked.stderr).toContain("pawl escalation answer 1");
  const { pid } = await factory.runOf(1);
  expect(isRunning(pid ?? 0)).toBe(true);
  await factory.ok("escalation", "answer", "1", "blue, like the sky");
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.git("show", "main:colour.txt")).toBe("blue, like the sky");
  expect((await factory.runOf(1)).epoch).toBe(1);
});

test("a bad pawl.toml on the target changes nothing but what status says, until it is fixed", async () => {
  await using factory = await brokenFactory();
  await factory.ok("issue", "add", "--title", "One");
  await factory.ok("up");
  await factory.works(1);
  const good = factory.read("repo", "pawl.toml");
  factory.commit({ "pawl.toml": good.replace("parallel = 2", 'parallel = "many"') }, "Break it");
  await factory.ok("issue", "add", "--title", "Two");
  await factory.works(2);
  const problem = (await factory.status()).projects[0]?.config_problem;
  expect(problem).toContain("parallel");
  expect(await factory.ok("status")).toContain(
    "pawl.toml is invalid, so Pawl still uses the last valid version",
  );
  factory.commit({ "pawl.toml": good }, "Fix it");
  await factory.ok("issue", "add", "--title", "Three");
  await factory.until("the problem is gone", async () => {
    return (await factory.status()).projects[0]?.config_problem === null;
  });
});
