// Issue 13, item 9: every log that there is can be read with `pawl ci logs`.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";
import { branch, makeQueue } from "../support/queue-cli.ts";

test("a branch that the queue sent back has its log, by its name and by its entry, and explain shows the end", async () => {
  // As long as the stack of an error of Node.
  const gate =
    '[ ! -e red.txt ] || { echo "the reason is in line 7"; seq -f "    at %g" 18; exit 3; }\n';
  await using factory = await makeQueue("", gate);
  branch(factory, "bad", { "red.txt": "red\n" });
  await factory.ok("merge-queue", "add", "bad");
  await factory.pawl("merge-queue", "process");
  for (const ref of ["bad", "1"]) {
    expect(await factory.ok("ci", "logs", ref)).toContain("the reason is in line 7");
  }
  const why = await factory.ok("merge-queue", "explain", "bad");
  expect(why).toMatch(
    /sent back: test passes on the target and fails[^]*\| the reason is in line 7[^]*whole output: .*\.log/,
  );
  // What the gate wrote is indented, and not repeated as lines of the queue.
  const same = await factory.ok("why", "bad");
  expect(same).toMatch(
    /^merge queue: sent back: [^]*^ {2}\| the reason is in line 7\n {2}\| {5}at 1\n/m,
  );
  expect(same).not.toContain("merge queue: |");
});

test("a set-up that fails for a branch has its log", async () => {
  const ci =
    '[ci]\ncommand = "sh test.sh"\nsetup = "test ! -e broken || { echo no such registry; exit 9; }"\n';
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${ci}${LIMITS}` });
  await factory.addIssue({ title: "Break", body: "```sh\necho > broken\n```\n" });
  factory.background("daemon");
  const log = await factory.until("the set-up has failed", async () => {
    const { code, stdout } = await factory.pawl("ci", "logs", "1");
    return code === 0 && stdout !== "" && stdout;
  });
  expect(log).toContain("no such registry");
});

test("a target on which the gate fails has its log", async () => {
  const ci = '[ci]\ncommand = "echo red from the start; exit 1"\n';
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${ci}${LIMITS}` });
  await factory.addIssue({ title: "Wait", body: "```sh\necho > done\n```\n" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  expect(await factory.ok("ci", "logs", "target")).toBe("red from the start");
});
