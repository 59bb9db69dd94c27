// An agent command that does not exist, committed between two runs of an issue: the way to a run with
// the corrected one, and the work that the first run left.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";

const GATE = '[ci]\ncommand = "test ! -e made"\n';
const MISSING = '[agent]\nruntime = "command"\ncommand = ["nosuch-agent"]\n';

test("what is said of a missing agent command leads to a run with the corrected one, and diff shows the earlier run's work", async () => {
  const work = `${SCRIPT_AGENT}${GATE}${LIMITS}`;
  await using factory = await makeFactory({ config: work });
  const configured = (text: string): string =>
    factory.commit({ "pawl.toml": factory.config(text) }, "Configure");
  await factory.ok("init", "--yes");
  await factory.addIssue({ title: "Make it", body: "```sh\necho hello > made\n```\n" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  expect(await factory.ok("diff", "1")).toContain("+hello");

  configured(`${MISSING}${GATE}${LIMITS}`);
  await factory.ok("retry", "1");
  const asked = await factory.pawl("run", "--until-idle");
  expect(asked.code).toBe(8);
  expect(asked.stderr).toContain('the agent\'s command ["nosuch-agent"] was not found');
  expect(asked.stderr).toContain("\n  pawl retry 1\n");
  expect(asked.stderr).not.toContain("; resumes");

  // The way that the replies name, word for word, without a daemon.
  configured(work);
  const way =
    "for a new run with the new settings: `pawl issue edit 1 --add-label blocked`, then `pawl retry 1`";
  expect((await factory.pawl("escalation", "answer", "1", "Try again")).stderr).toContain(way);
  expect((await factory.pawl("retry", "1")).stderr).toContain(way);
  await factory.ok("issue", "edit", "1", "--add-label", "blocked");
  await factory.pawl("run", "--until-idle");
  // What the first run left is shown until the next one changes something.
  for (const ref of ["dev-1", "1", "1.2"]) {
    const shown = await factory.pawl("diff", ref);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("+hello")]);
    expect(shown.stderr).toContain("this is what run 1.1 left");
  }

  // The same with a daemon, which may not have seen the label yet when `retry` comes.
  await factory.ok("up");
  const ends = (name: string, stage: string) =>
    factory.until(`run ${name} is ${stage}`, async () => {
      const { run, stage: now } = await factory.runOf(1);
      return run === name && now === stage;
    });
  configured(`${MISSING}${GATE}${LIMITS}`);
  await factory.ok("retry", "1");
  await ends("1.3", "escalated");
  configured(work);
  await factory.ok("issue", "edit", "1", "--add-label", "blocked");
  expect((await factory.pawl("retry", "1")).stderr).toContain(
    "#1 is tried again: a new run begins",
  );
  await ends("1.4", "ended");
  expect((await factory.runOf(1)).outcome).toBe("blocked");
});
