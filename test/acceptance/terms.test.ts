// Issue 13, item 7: nothing is spent or published before the user could read what would happen.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}[budget]\nday = { usd = 5 }\n`;
const body = "```sh\necho hello > hello.txt\n```\n";

test("init, run and up name where work goes, whose issues, which agent and which budget", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const words = [
    "landings: go to your branch main",
    "nothing is pushed",
    "checks: sh test.sh",
    "issues: those labelled backlog in Pawl's own tracker",
    "agent: the issue's own sh block",
    "budget: $5.00 for a day; 3 agents at once",
  ];
  const init = await factory.pawl("init");
  const run = await factory.pawl("run", "--until-idle");
  const up = await factory.pawl("up");
  for (const said of [init, run, up]) {
    expect(said.code).toBe(0);
    for (const word of words) expect(said.stderr).toContain(word);
  }
});

test("with an origin, its URL and the commits that it lacks are said before anything is pushed", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const bare = join(factory.root, "origin.git");
  mkdirSync(bare);
  factory.gitIn(bare, "init", "-q", "--bare", "-b", "main");
  factory.git("remote", "add", "origin", bare);
  factory.git("push", "-q", "-u", "origin", "main");
  factory.commit({ "mine.txt": "not pushed\n" }, "Mine");
  const { stderr } = await factory.pawl("run", "--until-idle");
  expect(stderr).toContain(
    `landings: are pushed to main on ${bare}; branches are pushed there too`,
  );
  expect(stderr).toContain("unpushed: your main has 1 commit that origin does not have");
});

test("run --dry-run starts nothing and says what would start, why the rest waits, and the cost", async () => {
  await using factory = await makeFactory({ config: CONFIG, parallel: 1 });
  const first = await factory.addIssue({ title: "First", body });
  await factory.addIssue({ title: "Second", body, dependsOn: [first] });
  await factory.addIssue({ title: "Third", body });
  const plan = await factory.ok("run", "--dry-run");
  expect(plan).toContain("1 would start now");
  expect(plan).toContain("first: the gate runs on the bare main: sh test.sh");
  expect(plan).toContain("#1 First: it is ready, and a place is free");
  expect(plan).toContain("#2 Second: it waits for #1");
  expect(plan).toContain("#3 Third: all 1 places are taken (parallel)");
  expect(plan).toContain("estimate: no usage recorded for past runs");
  expect((await factory.status()).runs).toEqual([]);
  expect(factory.subjects()).toEqual([]);
});

test("run --dry-run plans nothing for a target that does not exist", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "First", body });
  const toml = factory.config(CONFIG).replace('target = "main"', 'target = "trunk"');
  factory.write({ "pawl.toml": toml });
  const { code, stdout, stderr } = await factory.pawl("run", "--dry-run");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`cannot follow trunk: ${factory.repo} has no such branch`);
});

test("run --dry-run in a folder that is not registered says so, and registers nothing", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("up");
  const { code, stderr } = await factory.pawl("run", "--dry-run");
  expect(code).not.toBe(0);
  expect(stderr).toContain("belongs to no registered project");
  expect(stderr).toContain("pawl init");
  expect((await factory.status()).projects).toEqual([]);
});

test("init names as the next step what works: `pawl run`, or `pawl top` while the daemon runs", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const before = (await factory.pawl("init", "--yes")).stderr;
  await factory.ok("up");
  const during = (await factory.pawl("init", "--yes")).stderr;
  expect([before, during]).toEqual([
    expect.stringMatching(/pawl run +work on it, and watch\n$/),
    expect.stringMatching(/pawl top +watch: the daemon works on it\n$/),
  ]);
});
