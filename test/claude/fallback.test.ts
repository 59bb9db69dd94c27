// What Claude Code began and its account's limit stopped is landed by another agent in the same
// workspace, and the other way round. Nothing that either of them wrote is lost.
import { expect, test } from "vitest";
import { COMMIT, makeClaudeFactory, noClaude, type ClaudeFactory } from "../support/claude.ts";
import { TEST_GATE } from "../support/pawl.ts";

const QUICK = `${TEST_GATE}[limits]\nfarewell = "1 s"\ngrace = "2 s"\nidle_check = "3 s"\n`;

const other = (more: string): string =>
  `${more}\n[[agent.account]]\nname = "other"\nruntime = "command"\ncommand = ["sh", "other.sh"]\n`;

const landed = (factory: ClaudeFactory, issue: number): Promise<boolean> =>
  factory.until("it has landed", async () => (await factory.runOf(issue)).outcome === "landed");

const BEGIN =
  "echo first > first.txt && git add -A && git commit -qm First && echo half > half.txt";

test.skipIf(noClaude)(
  "what Claude Code began before its limit is landed by another agent",
  async () => {
    const finish = `printf second > second.txt\n${COMMIT}\n`;
    await using factory = await makeClaudeFactory({
      config: QUICK,
      agent: other('fallback = ["other"]'),
      files: { "other.sh": finish },
    });
    const limit = "[[error: 429 rate_limit_error Please try again in 6 hours]]";
    const body = `[[bash: ${BEGIN}]] [[on nudge]]${limit}[[end]]`;
    const issue = await factory.addIssue({ title: "Begun by Claude Code", body });
    factory.background("run");
    await landed(factory, issue);
    expect(factory.git("show", "main:first.txt")).toBe("first");
    expect(factory.git("show", "main:half.txt")).toBe("half");
    expect(factory.git("show", "main:second.txt")).toBe("second");
    const run = await factory.runOf(issue);
    expect([run.agent, run.epoch]).toEqual(["other", 2]);
    expect(run.warnings.join("\n")).toContain("claude cannot continue");
  },
);

test.skipIf(noClaude)(
  "what another agent began before its limit is landed by Claude Code",
  async () => {
    const limit = '{"v":1,"kind":"limit","until":4102444800,"reason":"the weekly limit"}';
    const begin = `${BEGIN}
printf '%s' '${limit}' > "$PAWL_SPOOL/tmp/1" && mv "$PAWL_SPOOL/tmp/1" "$PAWL_SPOOL/new/1.json"
while :; do sleep 1; done
`;
    await using factory = await makeClaudeFactory({
      config: QUICK,
      agent: other('fallback = ["claude"]\n[[agent.for]]\nlabel = "backlog"\naccount = "other"'),
      files: { "other.sh": begin },
    });
    const body = `[[bash: echo second > second.txt && ${COMMIT}]]`;
    const issue = await factory.addIssue({ title: "Begun by another", body });
    factory.background("run");
    await landed(factory, issue);
    expect(factory.git("show", "main:first.txt")).toBe("first");
    expect(factory.git("show", "main:half.txt")).toBe("half");
    expect(factory.git("show", "main:second.txt")).toBe("second");
    expect(await factory.runOf(issue)).toMatchObject({ agent: "claude", epoch: 2 });
  },
);
