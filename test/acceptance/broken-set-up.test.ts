// Issue 13, item 8: a set-up that fails in every new workspace is one question, and starts no agent.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const setUp = (command: string): string =>
  `${SCRIPT_AGENT}${LIMITS}${TEST_GATE}[workspace]\nsetup = "${command}"\n`;
const work = (file: string): { title: string; body: string } => ({
  title: `Write ${file}`,
  body: `\`\`\`sh\necho ${file} > ${file}\n\`\`\`\n`,
});
const questions = async (factory: Factory): Promise<EscalationView[]> =>
  JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[];

test("a set-up that fails is one question for the project and starts no agent; once it is fixed all land", async () => {
  await using factory = await makeFactory({ config: setUp("echo no registry; exit 7") });
  for (const file of ["a", "b", "c"]) await factory.addIssue(work(file));
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("exit code 7")]);
  expect(stderr).toContain("no registry");
  const [question, ...others] = await questions(factory);
  expect(others).toEqual([]);
  expect(question).toMatchObject({ identity: "set-up", title: "set-up fails in a new workspace" });
  expect(await factory.ok("status")).toContain("set-up fails in a new workspace");
  expect(await factory.ok("escalation", "show", "set-up")).toContain("no registry");
  expect(await factory.ok("why", "1")).toContain("no registry");
  expect((await factory.status()).runs.map(({ epoch }) => epoch)).not.toContain(1);
  factory.commit({ "pawl.toml": factory.config(setUp("true")) }, "Fix the set-up");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toHaveLength(4);
  expect((await factory.status()).runs.map(({ run }) => run)).toEqual(
    expect.not.arrayContaining(["1.2", "2.2", "3.2"]),
  );
  expect(await questions(factory)).toEqual([]);
});

test("of a long output the end is shown everywhere, and the question shows all of it", async () => {
  const long = "echo the cause; seq 30; exit 7";
  await using factory = await makeFactory({ config: setUp(long) });
  await factory.addIssue(work("a"));
  const { stderr } = await factory.pawl("run", "--until-idle");
  expect(stderr).not.toContain("| the cause");
  expect(stderr).toContain("more of it: pawl escalation show set-up");
  expect(await factory.ok("escalation", "show", "set-up")).toContain("the cause");
  expect(await factory.ok("why", "1")).toContain('pawl escalation answer set-up "try again"');
});

test("set-up that fails outside pawl.toml is tried again when a person says so, and by the next `pawl run`", async () => {
  await using factory = await makeFactory({ config: "" });
  const tool = join(factory.repo, "..", "tool");
  factory.commit({ "pawl.toml": factory.config(setUp(`test -e ${tool}`)) }, "Need a tool");
  await factory.addIssue(work("a"));
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  const refused = await factory.pawl("escalation", "answer", "set-up", "perhaps");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("try again")]);
  await factory.ok("escalation", "answer", "set-up", "try again");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  expect(await questions(factory)).toHaveLength(1);
  writeFileSync(tool, "");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(await questions(factory)).toEqual([]);
});
