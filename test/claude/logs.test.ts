// `pawl logs` of the real Claude Code: what its screen showed, not the bytes that drew it.
import { expect, test } from "vitest";
import { COMMIT, makeClaudeFactory, noClaude, workToIdle } from "../support/claude.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";

const WORDS = "These are words with spaces between them";

test.skipIf(noClaude)("logs keep the spaces and show no spinner", async () => {
  await using factory = await makeClaudeFactory({
    config: `${TEST_GATE}${LIMITS}idle_check = "3 s"\n`,
  });
  // It asks for CI in a later turn: one that landed is ended whether or not it has said its words.
  const numbers = "[[slow: 1500]] [[bash: seq -f 'number %g' 1 60 | tee out.txt]]";
  const later = `[[on nudge]][[bash: ${COMMIT}]][[end]]`;
  await factory.addIssue({ title: "Work", body: `${numbers} [[text: ${WORDS}]] ${later}` });
  await workToIdle(factory);
  const log = await factory.ok("logs", "1");
  // As the answer: the issue, which is shown too, has the words as well.
  expect(log).toContain(`● ${WORDS}`);
  // A spinner draws the same line dozens of times.
  const spinning = log.split("\n").filter((line) => /^[✻✽✶✢*·] \S+…/.test(line));
  expect(spinning.length).toBeLessThanOrEqual(1);
  const boxes = log.split("\n").filter((line) => /^─{50,}$/.test(line));
  expect(boxes.length).toBeLessThanOrEqual(2);
});
