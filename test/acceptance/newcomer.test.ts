// What a newcomer types wrong, or looks at too early: each answer is true, and names the next step.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, shellAgent, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const block = (script: string): string => `\`\`\`sh\n${script}\n\`\`\`\n`;

test("`pawl run --dry-run` names the runs that are at work, and no other factory", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "Slow", body: block("sleep 600") });
  await factory.ok("up");
  await factory.until("its agent runs", async () => (await factory.runOf(1)).alive);
  // When the second one is known, the label of the first one is known as well.
  await factory.ok("issue", "add", "--title", "Next", "--body", block("true"), "--label", "later");
  await factory.until("both issues were read", async () => {
    const shown = await factory.ok("run", "--dry-run");
    return shown.includes("#2 Next");
  });
  const shown = await factory.ok("run", "--dry-run");
  expect(shown).toContain("#1 Slow: run 1.1 works on it");
  expect(shown).not.toContain("another factory");
});

test("a run that resumes says which corrected settings it keeps, and the way to a new run works", async () => {
  // Exit code 127: a person is asked at once.
  const wrong = `[agent]\nruntime = "command"\ncommand = ["no-such-agent"]\n`;
  await using factory = await makeFactory({
    files: {
      "agent.sh":
        'echo green > colour.txt\ngit add . && git commit -qm Colour\necho PHASE:awaiting_ci > "$PAWL_PHASE_FILE"\n',
    },
  });
  factory.commit({ "pawl.toml": factory.config(`${wrong}${TEST_GATE}${LIMITS}`) });
  await factory.addIssue({ title: "Choose a colour" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  factory.commit({ "pawl.toml": factory.config(`${shellAgent()}${TEST_GATE}${LIMITS}`) });
  const retried = await factory.pawl("retry", "1");
  expect(retried.stderr).toContain("[agent] in pawl.toml changed since then");
  expect(retried.stderr).toContain("`pawl issue edit 1 --add-label blocked`, then `pawl retry 1`");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  expect(await factory.ok("why", "1")).toContain("[agent] in pawl.toml changed since then");

  await factory.ok("issue", "edit", "1", "--add-label", "blocked");
  const early = await factory.pawl("retry", "1");
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("run 1.1 has not ended")]);
  expect(early.stderr).toContain(
    "`pawl run` or `pawl up` ends it; then `pawl retry 1` begins a new",
  );
  await factory.pawl("run", "--until-idle");
  await factory.ok("retry", "1");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toContain("Colour");
});
