// What Claude Code cannot work without: an account that is not limited, signed in and paid for. Never a
// failure (defect 18). What it shares with other agents is in test/agents/claude.test.ts: permissions,
// interrupted turns (defect 19) and a service that fails.
import { expect, test } from "vitest";
import { COMMIT, makeClaudeFactory, noClaude, type ClaudeFactory } from "../support/claude.ts";
import { TEST_GATE } from "../support/pawl.ts";

const QUICK = `${TEST_GATE}[limits]\nfarewell = "1 s"\ngrace = "2 s"\nidle_check = "3 s"\n`;
const work = (name: string): string => `[[bash: echo done > ${name}.txt && ${COMMIT}]]`;
const on = (kind: string, script: string): string => `[[on ${kind}]]${script}[[end]]`;

const escalated = (factory: ClaudeFactory, issue: number): Promise<string> =>
  factory.until("a person is asked", async () => {
    const { needs_you: reason } = await factory.runOf(issue);
    return reason === null ? undefined : JSON.stringify(reason);
  });

const landed = (factory: ClaudeFactory, issue: number): Promise<boolean> =>
  factory.until("it has landed", async () => (await factory.runOf(issue)).outcome === "landed");

test.skipIf(noClaude)(
  "a limit is waited for, nothing new starts, and the work goes on",
  async () => {
    await using factory = await makeClaudeFactory({ config: QUICK, parallel: 3 });
    const limit = "[[error: 429 rate_limit_error Please try again in 60 seconds]]";
    const issue = await factory.addIssue({
      title: "Hit the limit",
      body: `${limit} ${on("nudge", work("late"))}`,
    });
    factory.background("run");
    const run = await factory.until("it waits", async () => {
      const one = await factory.runOf(issue);
      return one.warnings.some((text) => text.includes("limit")) ? one : undefined;
    });
    expect(run).toMatchObject({ outcome: null, needs_you: null, epoch: 1 });
    // What is filed now would only meet the same limit: it waits, and status says why.
    const later = await factory.addIssue({ title: "Come later", body: work("later") });
    expect(await factory.ok("status")).toContain("the account's limit, until");
    expect((await factory.status()).runs.map((one) => one.issue)).not.toContain(later);
    await landed(factory, issue);
    expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
  },
);

test.skipIf(noClaude)(
  "a 429 is waited for as its retry-after says, or, where that is too long to be told, as configured",
  async () => {
    await using factory = await makeClaudeFactory({
      config: QUICK,
      agent: 'limit_retry = "3 s"',
      parallel: 1,
    });
    const rejected = "429 rate_limit_error Slow down";
    const short = await factory.addIssue({
      title: "Wait a moment",
      body: `[[error-once: ${rejected}]] [[header: retry-after 2]] ${work("soon")}`,
    });
    factory.background("run");
    await landed(factory, short);
    // Claude Code waited by itself: for Pawl nothing has happened.
    const [first, second] = factory.stub.requests.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2000);
    expect((await factory.runOf(short)).warnings).toEqual([]);
    // It gives up at once, and does not say for how long: Pawl waits, and tries again.
    const long = await factory.addIssue({
      title: "Wait an hour",
      body: `[[error: ${rejected}]] [[header: retry-after 3600]] ${on("nudge", work("late"))}`,
    });
    await landed(factory, long);
    const { warnings, epoch } = await factory.runOf(long);
    expect([warnings.join(), epoch]).toEqual([
      expect.stringMatching(/^usage limit until .*429/),
      1,
    ]);
  },
);

/** What the service says, and what Pawl takes it for. */
const FAILURES = [
  ["authentication", "401 authentication_error invalid x-api-key"],
  ["billing", "400 invalid_request_error Your credit balance is too low"],
  ["billing", "402 billing_error Payment required"],
] as const;

test.skipIf(noClaude)(
  "an authentication or a billing problem is reported to a person, and work resumes when it is fixed",
  async () => {
    await using factory = await makeClaudeFactory({ config: QUICK });
    await factory.ok("up");
    for (const [index, [kind, error]] of FAILURES.entries()) {
      const issue = await factory.addIssue({
        title: `Fail by ${error}`,
        body: `[[error: ${error}]] ${on("answer", work(`again-${index}`))}`,
      });
      expect(await escalated(factory, issue)).toContain(`${kind}:`);
      await factory.ok("escalation", "answer", String(issue), "Try again");
      await landed(factory, issue);
      expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
    }
  },
);
