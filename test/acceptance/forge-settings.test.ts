// A repository on a forge that is not set up for Pawl yet: `init` says and makes what is missing, also
// in a clone that has a pawl.toml already, and the other commands do not keep silent about it.
import { expect, test } from "vitest";
import type { StatusView } from "../../src/api/runs.ts";
import { makeForgeFactory, work } from "../support/forge-factory.ts";

test("in a colleague's clone, init checks the token and makes the labels of a pawl.toml that is there", async () => {
  await using factory = await makeForgeFactory();
  factory.fake.state.labels.splice(0);
  const dry = await factory.pawl("init", "--dry-run");
  expect(dry.stderr).toContain("already exists; Pawl does not change it");
  expect(dry.stderr).toContain("as pawl-dev (FORGE_TOKEN)");
  expect(dry.stderr).toContain("labels to create: backlog, in-progress, blocked, priority");
  expect(factory.fake.state.labels).toEqual([]);

  const done = await factory.pawl("init", "--yes");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stderr).toContain("labels are ready on");
  const made = factory.fake.state.labels.map(({ name }) => name);
  expect(made.toSorted()).toEqual(["backlog", "blocked", "in-progress", "priority"]);

  factory.env["FORGE_TOKEN"] = "f".repeat(40);
  const wrong = await factory.pawl("init", "--yes");
  expect(wrong.stderr).toContain("problem: ");
  expect(wrong.stderr).toContain("does not accept the token");
});

test("without the label `backlog`, run --until-idle, status and doctor say so, and init is the way out", async () => {
  await using factory = await makeForgeFactory();
  factory.fake.state.labels.splice(0);
  const why = "the label `backlog` does not exist in team/project";
  const idle = await factory.pawl("run", "--until-idle");
  expect(idle.code, idle.stderr).toBe(8);
  expect(idle.stderr).toContain(why);
  expect(await factory.ok("status")).toContain(why);
  const sick = await factory.pawl("doctor");
  expect(sick.code).toBe(1);
  const fault = { check: "backlog", text: `project ${factory.project}: ${why}` };
  expect(sick.stdout).toContain(`${fault.check}\ttrouble\t${fault.text}`);

  await factory.ok("init", "--yes");
  expect((await factory.pawl("doctor")).stdout).not.toContain(why);
  const after = await factory.pawl("run", "--until-idle");
  expect(after.code, after.stderr).toBe(0);
  expect(after.stderr).toContain("nothing to do: team/project has no open issue");
});

test("where no open issue has the label, run --until-idle and doctor say that", async () => {
  await using factory = await makeForgeFactory();
  await factory.post("/issues", { title: "Not for Pawl", body: "" });
  await factory.post("/issues", { title: "Not for Pawl either", body: "" });
  const none = "nothing to do: none of the 2 open issues of team/project has the label `backlog`";
  const idle = await factory.pawl("run", "--until-idle");
  expect(idle.code, idle.stderr).toBe(0);
  expect(idle.stderr).toContain(none);
  const doctor = await factory.pawl("doctor");
  expect(doctor.code, doctor.stdout).toBe(0);
  expect(doctor.stdout).toContain(none);
});

test("a repository that shows no merges is said by status and doctor, and init switches it on where it may", async () => {
  await using factory = await makeForgeFactory();
  const { state } = factory.fake;
  state.manualMerge = false;
  state.autodetect = false;
  await factory.fileIssue("One", work("one"));
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  const why = "PRs that land in team/project are shown as closed, not as merged";
  const status = JSON.parse(await factory.ok("status", "--json")) as StatusView;
  expect(status.waits).toMatchObject([
    { about: "forge", why: expect.stringContaining(why), needs_you: false },
  ]);
  const doctor = await factory.pawl("doctor");
  expect(doctor.stdout).toContain(why);
  expect(doctor.stdout).toContain("switch on manual merge in team/project");

  const quiet = await factory.pawl("init", "--yes");
  expect(quiet.stderr).toContain("`pawl init --manual-merge` switches it on");
  expect(state.manualMerge).toBe(false);
  const done = await factory.pawl("init", "--yes", "--manual-merge");
  expect(done.stderr).toContain("manual merge is on in ");
  expect(state).toMatchObject({ manualMerge: true, autodetect: false });
  expect((await factory.pawl("doctor")).stdout).not.toContain(why);
  await factory.fileIssue("Two", work("two"));
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(JSON.parse(await factory.ok("status", "--json"))).toMatchObject({ waits: [] });

  state.manualMerge = false;
  const fixed = await factory.pawl("doctor", "--fix");
  expect(fixed.stdout, fixed.stderr).toContain("fixed");
  expect(state.manualMerge).toBe(true);
});
