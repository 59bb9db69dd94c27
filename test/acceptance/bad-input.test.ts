// What goes wrong at a newcomer's desk: each has a clear outcome, said in words, with an exit code.
import { chmodSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, shellAgent, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const work = (script: string): string => `\`\`\`sh\n${script}\n\`\`\`\n`;

test("configuration that cannot be used is refused with its line, its key and a fix", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const refused = async (toml: string): Promise<string> => {
    factory.write({ "pawl.toml": toml });
    factory.git("commit", "-qam", "Change the configuration");
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(code, stderr).toBe(1);
    return stderr;
  };
  const invalid = await refused("[project\nname = 1\n");
  expect(invalid).toContain("pawl.toml");
  expect(invalid).toContain("1");
  const unknown = await refused(factory.config(`${CONFIG}[reviews]\nrequired = true\n`));
  expect(unknown).toContain("reviews");
  expect(unknown).toContain("review");
  const missing = await refused(factory.config(CONFIG).replace('"main"', '"trunk"'));
  expect(missing).toContain("trunk");
  expect(missing).toContain("main");
  rmSync(join(factory.repo, "pawl.toml"));
  factory.git("commit", "-qam", "Remove the configuration");
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code).toBe(1);
  expect(stderr).toContain("pawl init");
});

test("a folder without repository, and a repository without commits, say what to do", async () => {
  await using factory = await makeFactory();
  rmSync(join(factory.repo, ".git"), { recursive: true });
  for (const command of [["run"], ["init", "--yes"], ["issue", "add", "--title", "x"]]) {
    const { code, stderr } = await factory.pawl(...command);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("git init");
  }
  factory.git("init", "-q", "-b", "main");
  factory.write({ "pawl.toml": factory.config(CONFIG) });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(1);
  expect(stderr).toContain("no commits");
});

test("on a detached HEAD work lands on the target, and the user stays where they are", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  factory.git("checkout", "-q", "--detach");
  const here = factory.git("rev-parse", "HEAD");
  await factory.addIssue({ title: "Add one", body: work("echo one > one.txt") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.git("show", "main:one.txt")).toBe("one");
  expect(factory.git("rev-parse", "HEAD")).toBe(here);
  expect(factory.git("status", "--porcelain")).toBe("");
});

test("an agent that cannot be started is put before a person, with its command and exit code", async () => {
  await using factory = await makeFactory({ files: { "agent.txt": "not a program\n" } });
  const withAgent = (command: string): void => {
    const agent = `[agent]\nruntime = "command"\ncommand = ["${command}"]\n`;
    factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}`) });
  };
  withAgent("no-such-agent-anywhere");
  await factory.addIssue({ title: "First" });
  const absent = await factory.pawl("run", "--until-idle");
  expect(absent.code, absent.stderr).toBe(8);
  expect(absent.stderr).toContain("no-such-agent-anywhere");
  expect(absent.stderr).toContain("127");

  withAgent("./agent.txt");
  chmodSync(join(factory.repo, "agent.txt"), 0o644);
  await factory.addIssue({ title: "Second" });
  const forbidden = await factory.pawl("run", "--until-idle");
  expect(forbidden.code, forbidden.stderr).toBe(8);
  expect(forbidden.stderr).toContain("126");
  const { waits } = await factory.status();
  expect(waits.filter((wait) => wait.needs_you).map((wait) => wait.about)).toEqual([
    "#1 First",
    "#2 Second",
  ]);
});

test("an agent that exits without a phase is reminded in new lives, then a person is asked", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": 'cp "$PAWL_PROMPT_FILE" "$HOME/prompt-$PAWL_EPOCH"\n' },
  });
  await factory.addIssue({ title: "Say nothing" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(8);
  expect(stderr).toContain("idle_prompt");
  expect((await factory.runOf(1)).epoch).toBe(3);
  expect(factory.read("user", "prompt-1")).not.toContain("without writing a phase");
  expect(factory.read("user", "prompt-2")).toContain("without writing a phase");
});

test("a phase path that someone else has is left alone and reported; the work goes on", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const taken = `/tmp/dev-session-${factory.project}-1.phase`;
  writeFileSync(taken, "not Pawl's\n");
  await factory.addIssue({ title: "Add one", body: work("echo one > one.txt") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(readFileSync(taken, "utf8")).toBe("not Pawl's\n");
  expect(lstatSync(taken).isFile()).toBe(true);
  expect((await factory.runOf(1)).warnings.join("\n")).toContain(taken);
});

const TITLE = `It's "odd":\n$(touch /tmp/pwned) \`id\` ; rm -rf / # 🦆 — ñ`;

test("a title with quotes, newlines, substitutions and emoji lands under a sane subject", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const filler = "Words that fill a long prompt, line after line.\n".repeat(20_000);
  factory.write({ "../body.md": `${work("echo odd > odd.txt")}\n${filler}` });
  const body = ["--body-file", join(factory.root, "body.md")];
  expect(await factory.ok("issue", "add", "--title", TITLE, ...body)).toContain("1");
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.git("show", "main:odd.txt")).toBe("odd");
  const subject = factory.git("log", "-1", "--format=%s", "main");
  expect(subject).toContain(`It's "odd": $(touch /tmp/pwned) \`id\` ; rm -rf / # 🦆 — ñ`);
  expect(factory.git("log", "-1", "--format=%b", "main")).toBe("");
  expect(() => lstatSync("/tmp/pwned")).toThrow("ENOENT");
});

test("an issue of 10 MB is refused with the limit, and nothing is made of it", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "Short" });
  factory.write({ "../body.md": "Words, words, words.\n".repeat(500_000) });
  const body = ["--body-file", join(factory.root, "body.md")];
  const { code, stderr } = await factory.pawl("issue", "add", "--title", "Long", ...body);
  expect(code).toBe(2);
  expect(stderr).toContain("at most 1000000 characters");
  expect(await factory.client.get("/v1/issues?state=all")).toHaveLength(1);
});

test("an unknown issue, and a place that cannot be restored into, are clear errors", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "Add one", body: work("echo one > one.txt") });
  await factory.ok("run", "--until-idle");
  expect(await factory.ok("why", "1")).toContain("landed");
  const unknown = await factory.pawl("why", "99");
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('there is no run for "99" in project');
  expect(unknown.stderr).toContain("pawl merge-queue list --state all");
  const elsewhere = await factory.pawl("config", "check", "--project", "other");
  expect(elsewhere).toMatchObject({ code: 2, stdout: "" });
  expect(elsewhere.stderr).toContain("has no --project");
  expect(unknown.stderr).toContain("hint:");
  for (const place of [join(factory.repo, "test.sh", "inside"), "/proc/nowhere/at-all"]) {
    const impossible = await factory.pawl("checkpoint", "restore", "1", "--to", place);
    expect(impossible.code).toBe(1);
    expect(impossible.stderr).toContain(`cannot restore into ${place}`);
    expect(impossible.stderr).not.toContain("    at ");
  }
});

test("a pawl.toml that differs from the one on the target is named by run, status, doctor and config", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("init", "--yes");
  const said = async (...args: string[]): Promise<string[]> => {
    const { code, stderr } = await factory.pawl(...args);
    expect(code, stderr).toBe(0);
    return stderr.split("\n").filter((line) => line.includes("which is in force"));
  };
  const reading = [["status"], ["doctor"], ["config", "check"], ["config", "show"]];
  const commands = [["run", "--until-idle"], ...reading];
  for (const command of commands) expect(await said(...command)).toEqual([]);
  factory.write({ "pawl.toml": factory.config(`${CONFIG}[review]\nrequired = true\n`) });
  for (const command of commands) {
    expect(await said(...command)).toEqual([
      expect.stringContaining(`pawl.toml: yours in ${factory.repo} differs from the one on main`),
    ]);
  }
  factory.git("commit", "-qam", "Ask for reviews");
  for (const command of commands) expect(await said(...command)).toEqual([]);
  // Committed with a mistake in it, and no daemon has looked at it yet.
  factory.write({ "pawl.toml": factory.config(`${CONFIG}[reviews]\nrequired = true\n`) });
  factory.git("commit", "-qam", "Ask for more reviews");
  const mistake = /pawl.toml on main cannot be used.*Did you mean "review"\?/s;
  expect((await factory.pawl("status")).stderr).toMatch(mistake);
  expect(await factory.pawl("doctor")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(mistake),
    stderr: "",
  });
});

test("a pawl.toml with mistakes is not to be committed: the one on the target stays in force", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("init", "--yes");
  factory.write({ "pawl.toml": factory.config(`${CONFIG}[reviews]\nrequired = true\n`) });
  const yours = `pawl.toml: yours in ${factory.repo} has mistakes`;
  const fix = "fix yours before you commit it\n";
  const { code, stderr } = await factory.pawl("config", "check");
  expect([code, stderr]).toEqual([1, `${yours}; main has a valid one, which is in force; ${fix}`]);
  expect((await factory.pawl("status")).stderr).toContain(fix);
  factory.git("commit", "-qam", "Ask for reviews");
  factory.write({ "pawl.toml": factory.config(`${CONFIG}[reviews]\nrequired = false\n`) });
  expect((await factory.pawl("config", "check")).stderr).toContain(
    `${yours}, as the one on main has; ${fix}`,
  );
});

test("a dry run refuses a pawl.toml that run refuses, with the same words", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("init", "--yes");
  factory.write({ "pawl.toml": factory.config(`${CONFIG}[reviews]\nrequired = true\n`) });
  factory.git("commit", "-qam", "Ask for reviews");
  const refused = await factory.pawl("run", "--until-idle");
  expect(refused.code, refused.stderr).toBe(1);
  expect(refused.stderr).toContain('Did you mean "review"?');
  const { stderr } = refused;
  expect(await factory.pawl("run", "--dry-run")).toMatchObject({ code: 1, stdout: "", stderr });
});

test("`run` works with the pawl.toml of the target while the one in the checkout has mistakes", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("init", "--yes");
  await factory.addIssue({ title: "Add a file", body: "```sh\necho new > new.txt\n```\n" });
  factory.write({ "pawl.toml": factory.config(CONFIG).replace("parallel", "paralel") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([0, expect.stringContaining("fix yours before you commit it")]);
  expect(factory.subjects()).toContainEqual(expect.stringContaining("Add a file"));
  expect((await factory.pawl("run", "--dry-run")).code).toBe(0);
});
