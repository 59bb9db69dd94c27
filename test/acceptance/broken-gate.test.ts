// Issue 13, item 8: a gate that fails without any change of an agent starts no agent.
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const gate = (command: string): string => `${SCRIPT_AGENT}${LIMITS}[ci]\ncommand = "${command}"\n`;
const work = (file: string): { title: string; body: string } => ({
  title: `Write ${file}`,
  body: `\`\`\`sh\necho ${file} > ${file}\n\`\`\`\n`,
});
const questions = async (factory: Factory): Promise<EscalationView[]> =>
  JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[];

test("a gate that cannot be found starts no agent: one question names the command, and ends by itself", async () => {
  await using factory = await makeFactory({ config: gate("npn test") });
  for (const file of ["a", "b", "c"]) await factory.addIssue(work(file));
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("`npn test`: command not found")]);
  expect(stderr).toContain("npn: not found");
  // Said when it is found, not only at the end.
  expect(stderr).toMatch(/\d{2}  \? needs you: the gate fails on main: .*npn test/);
  expect((await factory.status()).runs).toEqual([]);
  const [question, ...others] = await questions(factory);
  expect(others).toEqual([]);
  expect(question).toMatchObject({ identity: "target", title: "the gate fails on main" });
  const why = await factory.ok("why", "2");
  expect(why).toContain("`npn test`: command not found");
  expect(why).toContain("work starts by itself when the gate passes");
  expect(why).toContain('pawl escalation answer target "check again"');
  expect(await factory.ok("status")).toContain("the gate fails on main");
  const doctor = await factory.pawl("doctor");
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/^gate\b.*npn test/m)]);
  expect(await factory.ok("escalation", "show", "target")).toContain("npn: not found");
  factory.commit({ "pawl.toml": factory.config(gate("sh test.sh")) }, "Fix the gate");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toHaveLength(4);
  expect(await questions(factory)).toEqual([]);
});

test("a target that a person breaks keeps the next issue waiting until it is fixed", async () => {
  await using factory = await makeFactory({ config: SCRIPT_AGENT + LIMITS + TEST_GATE });
  factory.background("daemon");
  await factory.addIssue(work("a"));
  await factory.until("the first one landed", async () => factory.subjects().length === 1);
  factory.commit({ "test.sh": "echo this is broken; exit 1\n" }, "Break it");
  const second = await factory.addIssue(work("b"));
  await factory.until("the question is asked", async () => (await questions(factory)).length === 1);
  expect((await factory.status()).runs.map(({ issue }) => issue)).toEqual([1]);
  expect(await factory.ok("status")).toContain("this is broken");
  factory.commit({ "test.sh": "exit 0\n" }, "Fix it");
  await factory.ok("issue", "comment", String(second), "--body", "fixed");
  await factory.until("the second one landed", async () => factory.subjects().length === 4);
  expect(await questions(factory)).toEqual([]);
});

test("a person may have the gate run again, or agents start all the same", async () => {
  const files = { "test.sh": "test -e /nowhere || exit 3\n" };
  await using factory = await makeFactory({ config: gate("sh test.sh"), files });
  await factory.addIssue({ title: "Fix", body: "```sh\necho 'exit 0' > test.sh\n```\n" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  const refused = await factory.pawl("escalation", "answer", "target", "perhaps");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("start anyway")]);
  await factory.ok("escalation", "answer", "target", "check again");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  await factory.ok("escalation", "answer", "target", "start anyway");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toEqual(["Fix (#1)"]);
});

test("a set-up of the gate that fails is one question for the project, with its output", async () => {
  const config = `${gate("sh test.sh")}setup = "echo no registry; exit 7"\n`;
  await using factory = await makeFactory({ config });
  for (const file of ["a", "b"]) await factory.addIssue(work(file));
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("set-up failed")]);
  expect(stderr).toContain("no registry");
  expect((await factory.status()).runs).toEqual([]);
  expect(await questions(factory)).toHaveLength(1);
});
