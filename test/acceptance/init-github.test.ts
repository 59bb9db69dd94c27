// `pawl init` in a clone of a repository on GitHub (a fake one over real HTTP): a dry run first, which
// says everything and leaves nothing behind; then pawl.toml and the labels are there.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GITHUB_DEV, GITHUB_REVIEW, startFakeGithub } from "../support/fake-github/server.ts";
import { makeFactory } from "../support/pawl.ts";

test("init finds GitHub behind the remote, checks the tokens, and makes the labels only in earnest", async () => {
  await using factory = await makeFactory({
    env: { GITHUB_TOKEN: GITHUB_DEV, FORGE_REVIEW_TOKEN: GITHUB_REVIEW },
  });
  const bare = join(factory.root, "origin.git");
  mkdirSync(bare);
  factory.gitIn(bare, "init", "-q", "--bare", "-b", "main");
  factory.git("push", "-q", bare, "main");
  const fake = await startFakeGithub(bare);
  onTestFinished(() => fake.close());
  factory.git("remote", "add", "origin", `${fake.url}/team/project.git`);

  fake.lacks.add("statuses=write");
  const refused = await factory.pawl("init", "--dry-run");
  expect(refused.stderr).toContain("GITHUB_TOKEN may not write Commit statuses");
  fake.lacks.clear();

  fake.state.ruleset = ["build"];
  const dry = await factory.pawl("init", "--dry-run");
  expect(dry.stderr).toContain("as pawl-dev (GITHUB_TOKEN), reviews by pawl-review");
  expect(dry.stderr).toContain("labels to create: backlog, in-progress, blocked, priority");
  expect(dry.stderr).toContain("main asks for green checks");
  expect(dry.stderr).not.toContain("problem");
  expect(dry.stdout).toContain(`kind = "github"\nurl = "${fake.url}"\nrepo = "team/project"`);
  expect(dry.stdout + dry.stderr).not.toContain(GITHUB_DEV);
  expect(fake.state.labels).toEqual([]);
  expect(existsSync(join(factory.home, "pawl.db"))).toBe(false);

  await factory.ok("init", "--yes");
  expect(readFileSync(join(factory.repo, "pawl.toml"), "utf8")).toBe(dry.stdout);
  const made = fake.state.labels.map(({ name }) => name);
  expect(made.toSorted()).toEqual(["backlog", "blocked", "in-progress", "priority"]);
});
