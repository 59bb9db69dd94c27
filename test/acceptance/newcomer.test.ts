// What a newcomer types wrong, or looks at too early: each answer is true, and names the next step.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

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
