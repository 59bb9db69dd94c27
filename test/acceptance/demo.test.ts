// `pawl demo`, as the README promises it: a newcomer's first command.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { lastFrame, shapesOf } from "../support/demo-picture.ts";
import { makeFactory } from "../support/pawl.ts";

type Demo = {
  issues: number;
  landed: number;
  blocked: number;
  escalated: number;
  sent_back: number;
  repo: string;
};

test("the demo takes its backlog to a green main and leaves nothing running", async () => {
  await using factory = await makeFactory();
  const { code, stdout, stderr } = await factory.pawl("demo", "--json");
  expect(code, stderr).toBe(0);
  const demo = JSON.parse(stdout) as Demo;
  expect(demo.issues).toBeGreaterThanOrEqual(5);
  expect(demo).toMatchObject({ landed: demo.issues, blocked: 0, escalated: 0 });
  // Two conflict, and one is red only together with another: the queue let none of that through.
  expect(demo.sent_back).toBeGreaterThanOrEqual(1);
  // Two demos at once would share the phase paths in /tmp if their projects had one name.
  const name = `demo-${basename(dirname(demo.repo)).slice("pawl-demo-".length).toLowerCase()}`;
  expect(readFileSync(join(demo.repo, "pawl.toml"), "utf8")).toContain(`name = "${name}"`);

  expect(greenCommits(demo.repo, factory.env)).toBe(demo.issues + 1);
  // The demo's folder is below the test's TMPDIR, so that nothing of it can be missed.
  await factory.nothingLeft();
  expect(factory.gitIn(demo.repo, "status", "--porcelain")).toBe("");
});

/** Runs the gate again, independently of Pawl, on every commit that main ever was. */
function greenCommits(repo: string, env: Record<string, string>): number {
  const run = (cwd: string, program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: "pipe" });
  const commits = run(repo, "git", "rev-list", "--first-parent", "main").trim().split("\n");
  const scratch = mkdtempSync(join(dirname(repo), "again-"));
  run(scratch, "git", "clone", "-q", repo, "clone");
  for (const commit of commits) {
    run(join(scratch, "clone"), "git", "checkout", "-q", "--force", commit);
    expect(run(join(scratch, "clone"), "sh", "test.sh")).toContain("passed");
  }
  rmSync(scratch, { recursive: true });
  return commits.length;
}

test("the demo tells what a person cares for, as the README's picture shows it, and every command it names works", async () => {
  await using factory = await makeFactory();
  const { code, stdout, stderr } = await factory.pawl("demo");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("8 of 8 issues landed on a green main");
  expect(stdout).toMatch(
    /The merge queue sent back #\d: (?:conflict(?: in NEWS.md)?|CI failed together with what had landed) → fixed and landed\./,
  );
  expect(stderr.match(/agent at work \(script\)/g)).toHaveLength(8);
  expect(stderr).toMatch(/CI failed; back to the agent/);
  expect(stderr).toMatch(/↩ sent back/);
  expect(stderr).toMatch(/↻ crashed.*; resumes/);
  expect(stderr.match(/✓ landed as [0-9a-f]{10}/g)).toHaveLength(8);
  expect(stderr).not.toMatch(/fetching|publishing|making|taking/);

  // Another picture is made by `npm run pictures`.
  expect(shapesOf(lastFrame())).toEqual(shapesOf(`${stderr}${stdout}`));

  const advice = stdout.split("\n").filter((line) => line.startsWith("  "));
  const [log = "", issues = "", logs = "", explain = "", init = "", remove = ""] = advice;
  const typed = (line: string): string =>
    execFileSync("sh", ["-c", line], { cwd: factory.root, env: factory.env, encoding: "utf8" });
  expect(typed(log)).toContain("Add a tool that reverses lines");
  expect(typed(issues)).toContain("Count distinct words");
  expect(typed(logs)).toContain("PHASE:awaiting_ci");
  expect(typed(explain)).toMatch(/^pawl\/1-[^]* of #1 [^]*landed as [0-9a-f]{10}/);
  expect(typed(`${init} --help`)).toContain("pawl init");
  const folder = /scratch repository in (\S+)\.$/m.exec(stderr)?.[1] ?? "";
  expect(existsSync(folder)).toBe(true);
  typed(remove);
  expect(existsSync(folder)).toBe(false);
});
