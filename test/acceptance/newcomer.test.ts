// What a newcomer types wrong, or looks at too early: each answer is true, and names the next step.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, shellAgent, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const block = (script: string): string => `\`\`\`sh\n${script}\n\`\`\`\n`;

test("`pawl run --dry-run` names the runs that are at work, and no other factory", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "Slow", body: block("sleep 600") });
  await factory.ok("up");
  await factory.until("its agent runs", async () => (await factory.runOf(1)).alive);
  // When the second one is known, the label of the first one is known as well.
  await factory.ok("issue", "add", "--title", "Next", "--body", block("true"), "--label", "later");
  await factory.until("both issues were read", async () => {
    const shown = await factory.ok("run", "--dry-run");
    return shown.includes("#2 Next");
  });
  const shown = await factory.ok("run", "--dry-run");
  expect(shown).toContain("#1 Slow: run 1.1 works on it");
  expect(shown).not.toContain("another factory");
});

test("a run that resumes says which corrected settings it keeps, and the way to a new run works", async () => {
  // Exit code 127: a person is asked at once.
  const wrong = `[agent]\nruntime = "command"\ncommand = ["no-such-agent"]\n`;
  await using factory = await makeFactory({
    files: {
      "agent.sh":
        'echo green > colour.txt\ngit add . && git commit -qm Colour\necho PHASE:awaiting_ci > "$PAWL_PHASE_FILE"\n',
    },
  });
  factory.commit({ "pawl.toml": factory.config(`${wrong}${TEST_GATE}${LIMITS}`) });
  await factory.addIssue({ title: "Choose a colour" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  factory.commit({ "pawl.toml": factory.config(`${shellAgent()}${TEST_GATE}${LIMITS}`) });
  const retried = await factory.pawl("retry", "1");
  expect(retried.stderr).toContain("[agent] in pawl.toml changed since then");
  expect(retried.stderr).toContain("`pawl issue edit 1 --add-label blocked`, then `pawl retry 1`");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  expect(await factory.ok("why", "1")).toContain("[agent] in pawl.toml changed since then");

  await factory.ok("issue", "edit", "1", "--add-label", "blocked");
  await factory.ok("retry", "1");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toContain("Colour");
});

test("without a daemon, `why` and the merge queue say that nothing is under way", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: {
      "agent.sh": 'printf "PHASE:escalate\\nReason: which colour?\\n" > "$PAWL_PHASE_FILE"\n',
    },
  });
  factory.git("branch", "docs");
  factory.git("checkout", "-q", "docs");
  factory.commit({ "docs.md": "docs\n" }, "Docs");
  factory.git("checkout", "-q", "main");
  await factory.addIssue({ title: "Choose a colour" });
  await factory.ok("up");
  await factory.until("its agent has asked and ended", async () => {
    const { needs_you: asked, alive } = await factory.runOf(1);
    return asked !== null && !alive;
  });
  await factory.ok("down");
  await factory.ok("escalation", "answer", "1", "green");
  const why = await factory.ok("why", "1");
  expect(why).toContain("no daemon runs: Pawl continues with `pawl up` or `pawl run`");
  expect(why).toContain("to do: start the agent (when a daemon runs)");

  await factory.ok("merge-queue", "add", "docs");
  const nothing = "no daemon works on the queue: `pawl merge-queue process --until-idle`";
  expect(await factory.ok("merge-queue", "explain", "docs")).toContain(nothing);
  expect(await factory.ok("merge-queue", "status")).toContain(nothing);
  expect(await factory.ok("why", "docs")).toContain(nothing);

  await factory.ok("merge-queue", "pause", "--reason", "release day");
  const paused = await factory.pawl("merge-queue", "process");
  expect(paused.stderr).toContain(": release day\n`pawl merge-queue resume` resumes it\n");
  expect(paused.stderr).toContain("paused by ");
});

test("an entry that was sent back is refused by its branch, with what to do", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  factory.git("checkout", "-q", "-b", "red");
  factory.commit({ "test.sh": "exit 1\n" }, "Break it");
  factory.git("checkout", "-q", "main");
  await factory.ok("merge-queue", "add", "red");
  expect((await factory.pawl("merge-queue", "process", "--until-idle")).code).toBe(1);
  for (const wish of [
    ["approve", "red"],
    ["priority", "red", "3"],
  ]) {
    const { code, stderr } = await factory.pawl("merge-queue", ...wish);
    expect([code, stderr]).toEqual([1, expect.stringContaining(" red: it was sent back\n")]);
    expect(stderr).toContain("`pawl merge-queue add red`");
  }
});

test("`pawl why` of an earlier run tells its end and where its issue stands", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "One", body: block("exit 1") });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  await factory.ok("issue", "edit", "1", "--body", block("echo one > one.txt"));
  await factory.ok("retry", "1");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect((await factory.ok("why", "1.1")).split("\n")).toEqual([
    "run 1.1 ended: blocked, the sh block of the issue failed (exit 1)",
    expect.stringMatching(/^the last run \(1\.2\) landed as /),
  ]);
});

test("`pawl init` names the commit of pawl.toml until it is committed", async () => {
  await using factory = await makeFactory();
  const step = "git add pawl.toml && git commit";
  expect((await factory.pawl("init", "--yes")).stderr).toContain(step);
  expect((await factory.pawl("init", "--yes")).stderr).toContain(step);
  factory.git("add", "pawl.toml");
  factory.git("commit", "-qm", "Add pawl.toml");
  expect((await factory.pawl("init", "--yes")).stderr).not.toContain(step);
});

test("`pawl init` and `pawl config check` name the agent's script until the target has it", async () => {
  await using factory = await makeFactory();
  const own = { "pawl.toml": factory.config(`${shellAgent()}[ci]\nnone = true\n`) };
  factory.write({ ...own, "agent.sh": "exit 0\n" });
  const step = "git add pawl.toml agent.sh && git commit -m 'Add pawl.toml'";
  expect((await factory.pawl("init", "--yes")).stderr).toContain(step);
  const told = "warning: agent.command runs agent.sh, which is not on main: commit it there";
  const before = await factory.pawl("config", "check");
  expect([before.code, before.stderr]).toEqual([0, expect.stringContaining(told)]);
  factory.git("add", "pawl.toml");
  factory.git("commit", "-qm", "Add pawl.toml");
  const second = (await factory.pawl("init", "--yes")).stderr;
  expect(second).toContain("git add agent.sh && git commit -m 'Add agent.sh'");
  factory.git("add", "agent.sh");
  factory.git("commit", "-qm", "Add agent.sh");
  expect((await factory.pawl("init", "--yes")).stderr).not.toContain("git add");
  expect((await factory.pawl("config", "check")).stderr).not.toContain("warning");
});

test("`pawl init` says which files it protects", async () => {
  const files = { "package.json": '{"scripts":{"test":"sh test.sh"}}\n' };
  await using factory = await makeFactory({ files });
  expect((await factory.pawl("init", "--yes")).stderr).toContain(
    "\nprotected: package.json (changes need your approval)\n",
  );
});

test("`pawl config explain` of a required key says where it is required, not that its default is none", async () => {
  await using factory = await makeFactory();
  const explained = await factory.ok("config", "explain", "isolation.mode");
  expect(explained).toContain(
    "  no default: required if there is a section [isolation]; without the section there are no walls\n",
  );
  expect(await factory.ok("config", "explain", "project.name")).toContain(
    "  no default: you must set it\n",
  );
  expect(await factory.ok("config", "explain", "ci.gates.name")).toContain(
    "  no default: required in each [[ci.gates]]\n",
  );
  expect(await factory.ok("config", "explain", "ci.setup")).toContain("  default: none\n");
});

test("doctor reports a script of the agent that is not on the target, until it is committed", async () => {
  await using factory = await makeFactory({ config: `${shellAgent()}${TEST_GATE}` });
  await factory.register();
  factory.write({ "agent.sh": "exit 0\n" });
  const told = "its agent runs agent.sh, which is not on main";
  const before = await factory.pawl("doctor");
  expect([before.code, before.stdout]).toEqual([1, expect.stringContaining(told)]);
  factory.git("add", "agent.sh");
  factory.git("commit", "-qm", "Add agent.sh");
  expect((await factory.pawl("doctor")).stdout).not.toContain(told);
});
