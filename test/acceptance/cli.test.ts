// The command line of a newcomer, without a daemon: the real program in a private repository.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentSchema } from "../../src/api/agents.ts";
import { checkSchema } from "../../src/api/checks.ts";
import { escalationSchema } from "../../src/api/escalations.ts";
import { dependenciesSchema, issueSchema, issueWithCommentsSchema } from "../../src/api/issues.ts";
import { prSchema } from "../../src/api/prs.ts";
import { queueSchema } from "../../src/api/queue.ts";
import { statusSchema } from "../../src/api/runs.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";
import { MAIN } from "../support/program.ts";

let factory: Factory;

beforeEach(async () => {
  factory = await makeFactory({ config: SCRIPT_AGENT + TEST_GATE });
});

afterEach(async () => {
  await factory[Symbol.asyncDispose]();
});

/** In another folder, or with something on stdin. */
function pawlIn(cwd: string, args: string[], input = "") {
  const options = { cwd, env: factory.env, input, encoding: "utf8", timeout: 240_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options);
  return { code: status, stdout, stderr };
}

const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse(await factory.ok(...args, "--json"));

test("an issue is added, listed, shown, edited, commented, closed and reopened", async () => {
  expect(await factory.pawl("issue", "add", "--title", "Fix the parser")).toEqual({
    code: 0,
    stdout: "1\n",
    stderr: "added #1 Fix the parser (backlog)\n",
  });
  const second = ["--title", "Then test it", "--depends-on", "1", "--label", "backlog"];
  expect(await factory.ok("issue", "add", ...second, "--label", "priority")).toBe("2");

  expect(await factory.ok("issue", "list")).toMatch(
    /^1\tFix the parser\topen\tbacklog\t\t\S+Z\n2\tThen test it\topen\tbacklog,priority\t1\t\S+Z$/,
  );
  expect(await factory.ok("issue", "list", "--label", "priority")).toMatch(/^2\t.*$/);
  expect(await factory.ok("issue", "deps")).toBe("2\t1\topen");

  await factory.ok("issue", "edit", "1", "--title", "Fix it", "--add-label", "blocked");
  await factory.ok("issue", "comment", "1", "--body", "first");
  const shown = issueWithCommentsSchema.parse(await json("issue", "show", "1"));
  expect(shown).toMatchObject({ title: "Fix it", labels: ["backlog", "blocked"] });
  expect(shown.comments.map(({ body }) => body)).toEqual(["first"]);

  await factory.ok("issue", "close", "1");
  expect(await factory.ok("issue", "list", "--state", "closed")).toMatch(/^1\tFix it\tclosed\t/);
  expect(await factory.ok("why", "2")).toContain("#2 is ready");
  await factory.ok("issue", "reopen", "1");
  expect(await factory.ok("why", "2")).toContain("#2 waits for #1");
});

test("what a shell would act on stays text", async () => {
  const title = `"it's" $(touch pwned) \`touch pwned\` ; rm -rf . 🎉 naïve\nsecond line\ttab`;
  const body = `quote " and ' and \\ and $(touch pwned)\n\n\tunicode ✓ 日本語\n`;
  writeFileSync(join(factory.repo, "body.md"), body);
  expect(await factory.ok("issue", "add", "--title", title, "--body-file", "body.md")).toBe("1");
  const shown = issueSchema.parse(await json("issue", "show", "1"));
  expect(shown.title).toBe(title.replace("\n", " "));
  expect(shown.body).toBe(body);
  expect(await factory.ok("issue", "list")).toContain("second line\\ttab\topen");
  expect(existsSync(join(factory.repo, "pwned"))).toBe(false);
  const piped = pawlIn(factory.repo, ["issue", "add", "--title", "t", "--body-file", "-"], body);
  expect(piped).toMatchObject({ code: 0, stdout: "2\n" });
  expect(issueSchema.parse(await json("issue", "show", "2")).body).toBe(body);
});

test("importing a file twice adds its issues once", async () => {
  const text = "# One\n\nText\n\n```sh\n# no issue\n```\n\n# Two\n\nDepends on #1\n";
  writeFileSync(join(factory.repo, "backlog.md"), text);
  expect(await factory.ok("issue", "import", "backlog.md")).toBe("1\n2");
  expect(await factory.pawl("issue", "import", "backlog.md")).toEqual({
    code: 0,
    stdout: "",
    stderr: "added 0 issues; 2 already existed\n",
  });
  expect(await factory.ok("issue", "deps")).toBe("2\t1\topen");
});

test("every read answers with what its schema says, also when there is nothing", async () => {
  await factory.ok("issue", "add", "--title", "One");
  const status = statusSchema.parse(await json("status"));
  expect(status).toMatchObject({
    daemon: null,
    projects: [{ name: factory.project, backlog: { ready: 1, waiting: 0, blocked: 0 } }],
    runs: [],
    queue: [],
    waits: [],
  });
  expect(issueSchema.array().parse(await json("issue", "list"))).toHaveLength(1);
  dependenciesSchema.parse(await json("issue", "deps"));
  expect(agentSchema.array().parse(await json("agents"))).toEqual([]);
  expect(prSchema.array().parse(await json("pr", "list"))).toEqual([]);
  expect(checkSchema.array().parse(await json("ci", "list"))).toEqual([]);
  expect(queueSchema.parse(await json("merge-queue", "status")).entries).toEqual([]);
  expect(await json("merge-queue", "list")).toEqual([]);
  expect(escalationSchema.array().parse(await json("escalation", "list"))).toEqual([]);
  expect(await factory.pawl("signals", "--json")).toMatchObject({ code: 0, stdout: "" });
});

test("bad input is refused with a sentence, and nothing is made", async () => {
  const long = join(factory.repo, "long.md");
  writeFileSync(long, "x".repeat(10_000_000));
  const cases: [string[], number, string][] = [
    [["issue", "add", "--title", "  "], 2, "title: an issue needs a title"],
    [["issue", "add", "--title", "x".repeat(1001)], 2, "at most 1000 characters"],
    [["issue", "add", "--title", "x", "--body-file", long], 2, "at most 1000000 characters"],
    [["issue", "add", "--title", "x", "--body-file", "nope"], 2, "there is no such file"],
    [["issue", "add", "--title", "x", "--body-file", "."], 2, "it is a folder"],
    [["issue", "add", "--title", "x", "--label", "a,b"], 2, "a label has no commas"],
    [["issue", "add", "--title", "x", "--depends-on", "99"], 1, "there is no issue 99"],
    [["issue", "show", "99"], 1, "there is no issue 99"],
    [["issue", "comment", "99", "--body", "x"], 1, "there is no issue 99"],
    [["issue", "edit", "x"], 2, "write 7 or #7"],
    [["pr", "review", "99", "--approve"], 1, "there is no PR 99"],
    [["stop", "99"], 1, 'there is no run for "99"'],
    [["ci", "status", "pawl/99-x"], 1, 'there is no run for "pawl/99-x"'],
    [["signals", "--kind", "NOPE"], 2, '"NOPE" is not a signal'],
    [["--project", "nope", "issue", "list"], 1, 'there is no project "nope"'],
    [["stauts"], 2, "Did you mean one of stats, status?"],
  ];
  await factory.ok("init", "--yes");
  for (const [args, code, message] of cases) {
    const result = await factory.pawl(...args);
    expect({ args: args.slice(0, 3), code: result.code, stdout: result.stdout }).toEqual({
      args: args.slice(0, 3),
      code,
      stdout: "",
    });
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  }
  expect(await json("issue", "list")).toEqual([]);
});

test("a pawl.toml that cannot be used is refused with line, key and fix", async () => {
  factory.write({ "pawl.toml": "[project\nname = 1\n" });
  const broken = await factory.pawl("issue", "add", "--title", "x");
  expect(broken).toMatchObject({ code: 1, stdout: "" });
  expect(broken.stderr).toContain("pawl.toml:1");
  factory.write({
    "pawl.toml": factory.config(`${SCRIPT_AGENT}${TEST_GATE}[review]\nrequird = 1\n`),
  });
  for (const args of [
    ["issue", "add", "--title", "x"],
    ["init", "--yes"],
  ]) {
    const unknown = await factory.pawl(...args);
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toMatch(/pawl\.toml:\d+.*requird/);
  }
});

test("outside a repository every command says what is missing", async () => {
  const outside = join(factory.root, "user");
  const env = { ...factory.env, GIT_CEILING_DIRECTORIES: factory.root };
  factory.env["GIT_CEILING_DIRECTORIES"] = env.GIT_CEILING_DIRECTORIES;
  const add = pawlIn(outside, ["issue", "add", "--title", "x"]);
  expect(add).toMatchObject({ code: 1, stdout: "" });
  expect(add.stderr).toContain("is not inside a git repository");
  expect(pawlIn(outside, ["issue", "list"]).stderr).toContain("belongs to no registered project");
  expect(pawlIn(outside, ["init", "--yes"]).stderr).toContain("is not in a git repository");
  expect(pawlIn(outside, ["status"])).toMatchObject({ code: 0, stdout: "daemon\tnone\t\t\n" });
});

test("init writes once, registers, and never changes what is there", async () => {
  const repo = join(factory.root, "Other App");
  mkdirSync(repo);
  factory.gitIn(repo, "init", "-q", "-b", "trunk");
  expect(pawlIn(repo, ["init", "--yes"]).stderr).toContain("has no commits yet");
  writeFileSync(join(repo, "test.sh"), "exit 0\n");
  factory.gitIn(repo, "add", "-A");
  factory.gitIn(repo, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");

  const asked = pawlIn(repo, ["init"]);
  expect(asked).toMatchObject({ code: 2, stdout: "" });
  expect(asked.stderr).toContain("--yes accepts the detected settings");
  const dry = pawlIn(repo, ["init", "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain('command = "sh test.sh"');
  expect(existsSync(join(repo, "pawl.toml"))).toBe(false);

  expect(pawlIn(repo, ["init", "--yes"])).toMatchObject({
    code: 0,
    stdout: `registered other-app (${repo})\n`,
  });
  const written = readFileSync(join(repo, "pawl.toml"), "utf8");
  expect(written).toBe(dry.stdout);
  const mine = `${written}# mine\n`;
  writeFileSync(join(repo, "pawl.toml"), mine);
  expect(pawlIn(repo, ["init", "--yes"]).stderr).toContain(
    "already exists; Pawl does not change it",
  );
  expect(readFileSync(join(repo, "pawl.toml"), "utf8")).toBe(mine);

  const all = statusSchema.parse(
    JSON.parse(pawlIn(repo, ["status", "--all-projects", "--json"]).stdout),
  );
  expect(all.projects.map(({ name }) => name)).toEqual(["other-app"]);
  expect(pawlIn(join(factory.root, "user"), ["issue", "list"]).stderr).toContain(
    "or name a project with --project (known: other-app)",
  );
});

test("init says that it found no tests, and what to write instead", () => {
  const repo = join(factory.root, "untested");
  mkdirSync(repo);
  factory.gitIn(repo, "init", "-q", "-b", "main");
  const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
  factory.gitIn(repo, ...who, "commit", "-q", "--allow-empty", "-m", "first");
  const { code, stderr } = pawlIn(repo, ["init", "--yes"]);
  expect(code).toBe(0);
  expect(stderr).toContain("found no command that runs your tests, so no branch can land yet");
  expect(stderr).toContain("write none = true there instead");
});

test("a folder inside the repository is in the project, and a workspace names it", async () => {
  const inner = join(factory.repo, "src", "deep");
  mkdirSync(inner, { recursive: true });
  expect(pawlIn(inner, ["issue", "add", "--title", "x"])).toMatchObject({ stdout: "1\n" });
  expect(pawlIn(inner, ["issue", "list"]).stdout).toMatch(/^1\tx\topen/);
  factory.env["PAWL_PROJECT"] = factory.project;
  expect(pawlIn(factory.root, ["issue", "list"]).stdout).toMatch(/^1\tx\topen/);
});

test("commands that write at the same time wait for each other", async () => {
  const titles = ["a", "b", "c", "d"];
  const added = await Promise.all(
    titles.map((title) => factory.ok("issue", "add", "--title", title)),
  );
  expect(added.toSorted()).toEqual(["1", "2", "3", "4"]);
});

test("a reader that goes away is no failure", () => {
  const command = `"$0" "$1" completion fish | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const argv = ["-c", command, process.execPath, MAIN];
  const output = execFileSync("bash", argv, { env: factory.env, encoding: "utf8" });
  expect(output).toBe("# Completion of pawl for fish.\n0\n");
});
