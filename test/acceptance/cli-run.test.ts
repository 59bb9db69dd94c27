// What the command line says about work that was done: a real run with a required review.
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentSchema } from "../../src/api/agents.ts";
import { checkLogsSchema, checkSchema } from "../../src/api/checks.ts";
import { escalationWithLogSchema } from "../../src/api/escalations.ts";
import { prWithReviewsSchema } from "../../src/api/prs.ts";
import { signalSchema } from "../../src/api/signals.ts";
import { LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

/** Asks for issue 2, works for the rest; a message ends the wait. */
const AGENT = `
echo "agent of $PAWL_ISSUE"
if [ "$PAWL_ISSUE" = 2 ]; then
  printf 'PHASE:escalate\\nReason: which name?\\n' > "$PAWL_PHASE_FILE"
else
  echo work > "work-$PAWL_ISSUE.txt"; git add -A; git commit -qm "work on $PAWL_ISSUE"
  echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
fi
exec sleep 300
`;

let factory: Factory;

beforeAll(async () => {
  const gate = '[ci]\ncommand = "echo checked; test -f test.sh"\n';
  const config = `${shellAgent()}${gate}[review]\nrequired = true\n${LIMITS}`;
  factory = await makeFactory({ config, files: { "agent.sh": AGENT } });
  await factory.ok("issue", "add", "--title", "Do it");
  await factory.ok("issue", "add", "--title", "Name it");
  await factory.ok("up");
  await factory.until("both wait for a person", async () => {
    const { runs } = await factory.status();
    const stages = runs.map(({ stage }) => stage).toSorted();
    return stages.join() === "escalated,reviewing";
  });
});

afterAll(async () => {
  await factory[Symbol.asyncDispose]();
});

const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse(await factory.ok(...args, "--json"));

test("a check is found by issue, by branch and by PR, with its log", async () => {
  const byIssue = checkSchema.parse(await json("ci", "status", "1"));
  expect(byIssue).toMatchObject({ issue: 1, state: "passed", failed: null });
  const { pr, branch } = await factory.runOf(1);
  expect(await json("ci", "status", branch)).toEqual(byIssue);
  expect(await json("ci", "status", String(pr))).toEqual(byIssue);
  const logs = checkLogsSchema.parse(await json("ci", "logs", branch, "--gate", "test"));
  expect(logs).toMatchObject([{ gate: "test" }]);
  expect(logs[0]?.text).toContain("checked");
  expect(await factory.pawl("ci", "logs", "1", "--gate", "lint")).toMatchObject({ code: 1 });
  expect(await factory.pawl("ci", "failures", "1")).toMatchObject({ code: 0, stdout: "" });
  expect(await factory.pawl("ci", "status", "2")).toMatchObject({ code: 8, stdout: "" });
});

test("agents, their terminals and their changes are shown", async () => {
  const agents = agentSchema.array().parse(await json("agents"));
  expect(agents.map(({ identity }) => identity)).toEqual([
    expect.stringMatching(/^daemon-/),
    "dev-1",
    "dev-2",
  ]);
  expect(await factory.ok("logs", "1")).toContain("agent of 1");
  expect(await factory.ok("logs", "dev-2", "--lines", "1")).not.toBe("");
  expect(await factory.ok("diff", "1", "--stat")).toContain("work-1.txt");
  expect(await factory.ok("diff", "1")).toContain("+work");
  expect(await factory.pawl("diff", "2")).toMatchObject({ code: 0, stdout: "" });
  const lines = (await factory.ok("signals", "--json", "--kind", "agent_registered")).split("\n");
  expect(lines.map((line) => signalSchema.parse(JSON.parse(line)).identity)).toContain("dev-1");
  expect(await factory.pawl("attach", "1")).toMatchObject({ code: 2 });
});

test("what needs you comes with its command, and the command works", async () => {
  const waits = (await factory.ok("status")).split("\n").filter((line) => line.startsWith("wait"));
  expect(waits.join("\n")).toContain('which name?\tpawl escalation answer 2 "…"');
  const questions = (await factory.status()).waits.filter(({ question }) => question === true);
  expect(questions.map(({ why }) => why)).toEqual(["which name?"]);
  const asked = escalationWithLogSchema.parse(await json("escalation", "show", "2"));
  expect(asked).toMatchObject({ issue: 2, reason: "which name?", alive: true });
  expect(asked.log).toContain("agent of 2");
  expect(await factory.ok("why", "2")).toContain("a person must answer");
  await factory.ok("escalation", "answer", "2", "pawl");
  expect(await factory.ok("escalation", "list")).toBe("");
  expect(await factory.pawl("escalation", "answer", "2", "again")).toMatchObject({ code: 1 });
});

test("a run is held, released and stopped by its issue", async () => {
  expect((await factory.pawl("hold", "2")).stderr).toContain("holding #2 (run 2.1)");
  expect((await factory.pawl("release", "2")).stderr).toContain("released #2");
  expect((await factory.pawl("stop", "2")).stderr).toContain("stopped #2");
  expect(await factory.ok("why", "2")).toContain("`pawl retry 2` resumes it");
});

test("an approving review lets the PR land, and what is over is refused", async () => {
  const { pr } = await factory.runOf(1);
  const number = String(pr);
  expect(prWithReviewsSchema.parse(await json("pr", "show", number))).toMatchObject({
    issue: 1,
    state: "open",
    ci: "passed",
    reviews: [],
  });
  await factory.ok("pr", "review", number, "--approve", "--body", "fine");
  await factory.until("it landed", async () => (await factory.runOf(1)).outcome === "landed");
  await factory.until("it is over", async () => (await factory.runOf(1)).stage === "ended");
  const shown = prWithReviewsSchema.parse(await json("pr", "show", number));
  expect(shown).toMatchObject({ state: "merged", reviews: [{ verdict: "approve", body: "fine" }] });
  expect(await factory.pawl("pr", "review", number, "--approve")).toMatchObject({ code: 1 });
  expect((await factory.pawl("stop", "1")).stderr).toContain("it is over");
  expect(await factory.ok("diff", "1")).toContain("diff --git ");
  expect(await factory.ok("merge-queue", "status")).toContain("1 branch landed");
  expect(await factory.ok("issue", "list", "--state", "closed")).toMatch(/^1\tDo it\tclosed/);
});
