// The commands of a first hour that need no agent: which projects there are, what pawl.toml says,
// answers as JSON, the meaning of flags, and removing everything.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}`;

test("config says what is wrong, what is in force and what a key means", async () => {
  await using factory = await makeFactory({ config: `${CONFIG}timeout = "5 min"\n` });
  const valid = await factory.pawl("config", "check");
  expect([valid.code, valid.stderr]).toEqual([0, `${factory.repo}/pawl.toml is valid\n`]);
  const shown = await factory.ok("config", "show");
  expect(shown).toMatch(/^ci\.timeout\t"5 min"\tpawl\.toml$/m);
  expect(shown).toMatch(/^review\.parallel\t3\tdefault$/m);
  // Those that are written come first; of a default that depends on others, the words are shown.
  expect(shown).toMatch(/^project\.name\t.*\tpawl\.toml$/m);
  expect(shown.lastIndexOf("\tpawl.toml")).toBeLessThan(shown.indexOf("\tdefault"));
  expect(shown).toMatch(/^merge\.strategy\t"rebase"; on a forge "merge", .*\tdefault$/m);
  expect(shown).not.toContain("agent.codex.");
  const key = await factory.ok("config", "explain", "ci.timeout");
  expect(key).toContain("The time limit for set-up and for each gate.");
  expect(key).toContain('default: "30 min"');
  const section = JSON.parse(await factory.ok("config", "explain", "limits", "--json")) as {
    key: string;
    meaning: string;
  }[];
  expect(section.length).toBeGreaterThan(15);
  expect(section.filter(({ meaning }) => meaning === "")).toEqual([]);
  const unknown = await factory.pawl("config", "explain", "ci.timeuot");
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining("did you mean ci.timeout?"),
  ]);

  factory.write({ "pawl.toml": factory.config(`${CONFIG}timeuot = "5 min"\n`) });
  const wrong = await factory.pawl("config", "check");
  expect([wrong.code, wrong.stdout]).toEqual([
    1,
    expect.stringContaining('Did you mean "timeout"?'),
  ]);
});

test("projects are listed, changes are answered as JSON, and every flag has one meaning", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const none = await factory.pawl("project", "list");
  expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("no project yet")]);
  const json = async <T>(...args: string[]): Promise<T> =>
    JSON.parse(await factory.ok(...args, "--json")) as T;
  expect(await json("issue", "add", "--title", "One")).toMatchObject({ number: 1, title: "One" });
  expect(await json("issue", "close", "1")).toMatchObject({ number: 1, state: "closed" });
  expect(await factory.ok("project", "list")).toContain(`${factory.project}\tmain\t3\t`);
  expect(await json("project", "list")).toMatchObject([{ name: factory.project }]);
  expect(await json("merge-queue", "list", "--state", "all")).toEqual([]);
  expect(await json("merge-queue", "pause", "--reason", "a release")).toBeDefined();
  expect(await factory.ok("merge-queue", "status")).toContain("a release");
  for (const command of [["costs"], ["history"], ["escalation", "list"], ["mail", "inbox"]]) {
    expect(await json(...command, "--all-projects")).toEqual(await json(...command, "--all"));
  }
  await factory.ok("merge-queue", "resume");
  // Nothing is left to do.
  expect((await factory.pawl("run", "--until-idle", "--all-projects")).code).toBe(0);
  const refused = await factory.pawl("merge-queue", "approve", "9", "--json");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
});

test("uninstall shows what it would remove, and removes it with --yes", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("issue", "add", "--title", "One");
  const link = join(factory.env["TMPDIR"] ?? "", "dev-session-toy-1.phase");
  symlinkSync(join(factory.home, "projects/toy/phase"), link);
  const units = join(factory.env["HOME"] ?? "", ".config/systemd/user");
  const unit = join(units, "pawl.service");
  const atLogin = join(units, "default.target.wants/pawl.service");
  mkdirSync(dirname(atLogin), { recursive: true });
  writeFileSync(unit, await factory.ok("up", "--systemd", "--dry-run"));
  symlinkSync(unit, atLogin);
  await factory.ok("up");
  const busy = await factory.pawl("uninstall", "--yes");
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining("the daemon runs")]);
  await factory.ok("down", "--kill-agents");

  const shown = await factory.ok("uninstall");
  expect(shown).toContain(`would remove ${factory.home}`);
  expect(shown).toContain(`would remove ${link}`);
  expect(shown).toContain("would lose issues of Pawl's own tracker, checkpoints, logs and costs");
  expect(existsSync(factory.home)).toBe(true);
  expect(shown).toContain(`would remove ${unit}`);
  expect(await factory.ok("uninstall", "--yes")).toContain(`removed ${factory.home}`);
  for (const path of [unit, atLogin]) {
    expect(lstatSync(path, { throwIfNoEntry: false }), path).toBeUndefined();
  }
  expect(existsSync(factory.home)).toBe(false);
  // The folder of the sockets too, because no other factory is left.
  expect(existsSync(join(factory.env["XDG_RUNTIME_DIR"] ?? "", "pawl"))).toBe(false);
  expect(existsSync(join(factory.repo, "pawl.toml"))).toBe(true);
  expect(JSON.parse(await factory.ok("uninstall", "--json"))).toEqual({
    removed: false,
    paths: [],
    lost: [],
  });
  // As right after installing: the doctor comes before anything has made the folder.
  const { stdout } = await factory.pawl("doctor", "--verbose");
  expect(stdout).toContain("machine\tok\t");
  expect(stdout).not.toContain("ENOENT");
});

test("uninstall names a demo that is still there, and the command that removes it afterwards too", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("issue", "add", "--title", "One");
  const demo = join(factory.env["TMPDIR"] ?? "", "pawl-demo-left");
  mkdirSync(join(demo, "home"), { recursive: true });
  writeFileSync(join(demo, "pawl"), "");
  const there = `the demo in ${demo} is still there: `;
  const shown = await factory.pawl("uninstall");
  expect(shown.stderr).toContain(there);
  const gone = await factory.pawl("uninstall", "--yes");
  expect(gone.stderr).toContain(there);
  expect(gone.stderr).not.toContain("only the program itself is left");
  const command = new RegExp("still there: run `(.*)`").exec(gone.stderr)?.[1] ?? "";
  execFileSync("sh", ["-c", command], { cwd: factory.root, env: factory.env, stdio: "pipe" });
  expect(existsSync(demo)).toBe(false);
  expect((await factory.pawl("uninstall")).stderr).not.toContain("demo");
});

test("what an agent that was killed had in its hands is gone after uninstall", async () => {
  await using factory = await makeFactory({ config: `${CONFIG}${LIMITS}` });
  const kills = '[ "$PAWL_EPOCH" -gt 1 ] || kill -9 "$PPID"';
  const body = `\`\`\`sh\n${kills}\necho one > one.txt\n\`\`\`\n`;
  await factory.addIssue({ title: "One", body });
  await factory.ok("run", "--until-idle");
  expect(factory.subjects()).toEqual(["One (#1)"]);
  expect(await factory.runOf(1)).toMatchObject({ epoch: 2 });
  await factory.ok("uninstall", "--yes");
  expect(readdirSync(factory.env["TMPDIR"] ?? "")).toEqual([]);
});
