// What Claude Code began and its account's limit stopped is landed by Codex in the same workspace, and
// the other way round. Nothing that either of them wrote is lost.
import { expect, test } from "vitest";
import { COMMIT, makeAgentFactory } from "../support/agent-factory.ts";
import { CLAUDE, CODEX } from "../support/tested-agents.ts";

const BEGIN =
  "echo first > first.txt && git add -A && git commit -qm First && echo half > half.txt";
const LIMIT = "[[error: 429 rate_limit_error Please try again in 6 hours]]";
const BODY = [
  `[[bash: ${BEGIN}]]`,
  `[[on nudge]]${LIMIT}[[end]]`,
  `[[on continuation]][[bash: echo second > second.txt && ${COMMIT}]][[end]]`,
].join(" ");

const isMissing = CLAUDE.program === undefined || CODEX.program === undefined;

test.skipIf(isMissing).each([
  { first: CLAUDE, second: CODEX },
  { first: CODEX, second: CLAUDE },
])(
  "what $first.runtime began before its limit is landed by $second.runtime",
  async ({ first, second }) => {
    const agent = `fallback = ["other-${second.runtime}"]`;
    await using factory = await makeAgentFactory(first, { agent, others: [second] });
    const issue = await factory.addIssue({ title: "Begun by another", body: BODY });
    factory.background("run");
    await factory.until("it has landed", async () => {
      return (await factory.runOf(issue)).outcome === "landed";
    });
    for (const name of ["first", "half", "second"]) {
      expect(factory.git("show", `main:${name}.txt`)).toBe(name);
    }
    const run = await factory.runOf(issue);
    expect(run).toMatchObject({ agent: `other-${second.runtime}`, epoch: 2 });
    expect(run.warnings.join("\n")).toContain(`${first.runtime} cannot continue`);
  },
);
