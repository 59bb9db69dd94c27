import { expect, test } from "vitest";
import {
  HEAD,
  contextAt,
  escalated,
  kinds,
  tellKinds,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import {
  agentAsks,
  answered,
  answeredThere,
  asked,
  choiceOf,
  escalate,
  escalationDue,
  questionPosted,
  raiseQuestion,
  hostRefused,
  raiseHost,
} from "./escalate.ts";
import { allowedHosts, type Run } from "./run.ts";
import { taskRun, testTask } from "../../../test/support/task.ts";

const REPLY = { by: "ada", text: "8080" };

test("a person is told at once; a reminder and a deadline are set", () => {
  const context = contextAt(5);
  const run = escalate(testRun(), { reason: "Which port?" }, context);
  const { escalationReminderMs, escalationTimeoutMs } = run.config.limits;
  expect(run.stage).toMatchObject({
    escalation: { remindAt: 5 + escalationReminderMs, deadline: 5 + escalationTimeoutMs },
  });
  expect(context.output.effects).toMatchObject([
    { effect: { severity: "urgent", body: "Which port?" } },
  ]);
});

test("one question at a time", () => {
  const context = contextAt();
  const run = testRun({ stage: escalated() });
  expect(escalate(run, { reason: "Another?" }, context)).toBe(run);
  expect(context.output.effects).toEqual([]);
});

test("nothing lands and no session starts while a person is asked", () => {
  const context = contextAt();
  const queued = testRun({ stage: { kind: "queued", head: HEAD }, respawnAt: 9 });
  expect(escalate(queued, { reason: "r" }, context).respawnAt).toBeUndefined();
  expect(tellKinds(context.output)).toEqual(["entry-withdrawn"]);
});

test("an answer goes to the agent and wipes what counted against it", () => {
  const counts = { ...testRun().counts, nudges: 2, infraRetries: 1, ciFixes: 3 };
  const run = answered(
    testRun({ stage: escalated(), counts, crashes: [{ at: 0, head: undefined }] }),
    REPLY,
    contextAt(),
  );
  expect(run).toMatchObject({
    stage: { kind: "working" },
    crashes: [],
    counts: { nudges: 0, infraRetries: 0, ciFixes: 3 },
  });
  expect(run.messages).toMatchObject([{ kind: "answer", text: expect.stringContaining("8080") }]);
});

test("an answer to nothing changes nothing", () => {
  const run = testRun();
  expect(answered(run, REPLY, contextAt())).toBe(run);
});

const retrying = (effect: object): { run: Run; done: string[] } => {
  const again = { key: "k", lane: "l", effect } as never;
  const asked = escalate(testRun(), { reason: "r", again }, contextAt());
  const run = answered(asked, REPLY, contextAt());
  return { run, done: kinds(wants(asked, run)) };
};

test.each([
  [{ kind: "claim-issue" }, { kind: "claiming" }],
  [{ kind: "prepare-workspace" }, { kind: "preparing" }],
  [
    { kind: "publish-branch", head: HEAD },
    { kind: "publishing", head: HEAD },
  ],
  [
    { kind: "check-branch", head: HEAD },
    { kind: "checking", head: HEAD },
  ],
])("what failed is tried again, and the run stands where it stood: %j", (effect, stage) => {
  const { run, done } = retrying(effect);
  expect(done).toEqual([effect.kind]);
  expect(run.stage).toMatchObject(stage);
});

test("a fetch that is tried again is waited for", () => {
  expect(retrying({ kind: "fetch-branch", ordinal: 3 }).run.stage).toEqual({
    kind: "fetching",
    ordinal: 3,
  });
});

test("a person is reminded once, and after the deadline the issue is blocked", () => {
  const context = contextAt(100);
  const reminded = escalationDue(testRun({ stage: escalated() }), context);
  expect(context.output.effects).toMatchObject([{ effect: { severity: "warning" } }]);
  expect(escalationDue(reminded, contextAt(150))).toBe(reminded);
  expect(escalationDue(reminded, contextAt(200)).outcome?.kind).toBe("blocked");
});

test("a session that a person sits at outlives the deadline", () => {
  const run = testRun({ stage: escalated(), session: testSession({ attached: true }) });
  const later = escalationDue(run, contextAt(200));
  expect(later.outcome).toBeUndefined();
  expect(later.stage).toMatchObject({
    escalation: { deadline: 200 + run.config.limits.escalationReminderMs },
  });
});

test("a session that ended while a person sat at it does not outlive the deadline", () => {
  const session = testSession({ attached: true, status: "ended" });
  const late = escalationDue(testRun({ stage: escalated(), session }), contextAt(200));
  expect(late.outcome).toMatchObject({ kind: "blocked" });
});

const FORGE = { kind: "gitea", url: "https://x", owner: "o", repo: "r" } as const;

function askedOnForge(operators: string[] | undefined, choices: string[] = []) {
  const base = testRun();
  const forge = operators === undefined ? FORGE : { ...FORGE, operators };
  const run: Run = { ...base, config: { ...base.config, forge } };
  const context = contextAt(10);
  const question = choices.length === 0 ? {} : { question: { id: "q", text: "which?", choices } };
  return { run: escalate(run, { reason: "help", ...question }, context), context };
}

const comments = (context: ReturnType<typeof contextAt>) =>
  context.output.effects.filter(({ effect }) => effect.kind === "say-on-issue");

test("a question is put on the issue for the operators, else for the owner of the repository", () => {
  expect(comments(askedOnForge(["ann"]).context)).toMatchObject([
    { key: "run:toy/42.1:ask:10", effect: { on: 42, since: 10 } },
  ]);
  expect(comments(askedOnForge(undefined).context)).toMatchObject([
    { effect: { on: 42, body: expect.stringContaining("@o: answer with a comment") } },
  ]);
  expect(comments(askedOnForge([]).context)).toEqual([]);
});

test("the comment of this very question is remembered, not that of an earlier one", () => {
  const { run } = askedOnForge(["ann"]);
  const posted = (since: number) =>
    questionPosted(run, { kind: "question-posted", at: 11, since, comment: "77" });
  expect(posted(10).stage).toMatchObject({ escalation: { posted: "77" } });
  expect(posted(9)).toBe(run);
});

test("an answer by a comment is acknowledged there once, one by the command nowhere", () => {
  const { run } = askedOnForge(["ann"]);
  const context = contextAt(12);
  const comment = { id: "78", on: 43 };
  const next = answered(run, { by: "ann", text: "go on", comment }, context);
  expect(next.stage.kind).toBe("working");
  expect(comments(context)).toMatchObject([
    { key: "run:toy/42.1:answered:78", effect: { on: 43, body: expect.stringContaining("@ann") } },
  ]);
  const silent = contextAt(12);
  answered(run, { by: "ann", text: "go on" }, silent);
  expect(comments(silent)).toEqual([]);
});

test("a comment that is none of the choices is said to be none, and is not read again", () => {
  const { run } = askedOnForge(["ann"], ["red", "blue"]);
  const context = contextAt(12);
  const reply = { by: "ann", text: "green", comment: { id: "78", on: 42 } };
  expect(answered(run, reply, context).stage).toMatchObject({
    kind: "escalated",
    escalation: { read: "78" },
  });
  expect(comments(context)).toMatchObject([{ key: "run:toy/42.1:misfit:78" }]);
});

test("a task asks on the issue it is about, where it is about one", () => {
  const askedBy = (issue: number | undefined) => {
    const base = taskRun({}, testTask(issue === undefined ? {} : { issue }));
    const config = { ...base.config, forge: { ...FORGE, operators: ["ann"] } };
    const context = contextAt(10);
    escalate({ ...base, config }, { reason: "help" }, context);
    return comments(context);
  };
  expect(askedBy(7)).toMatchObject([{ effect: { on: 7 } }]);
  expect(askedBy(undefined)).toEqual([]);
});

const CHOICES = ["Yes", "Yes, always", "No"];

test.each<[string, string | undefined]>([
  ["1", "Yes"],
  ["yes", "Yes"],
  [" No ", "No"],
  ["n", "No"],
  ["yes, a", "Yes, always"],
  ["4", undefined],
  ["0", undefined],
  ["ye", undefined],
  ["maybe", undefined],
  ["", undefined],
])("%j means %s", (answer, choice) => {
  expect(choiceOf({ choices: CHOICES }, answer)).toBe(choice);
});

test("a question without choices takes any answer as it is", () => {
  expect(choiceOf({ choices: [] }, "Use the second form.")).toBe("Use the second form.");
});

test("a choice that is a number is meant by its text before its place", () => {
  expect(choiceOf({ choices: ["2", "1"] }, "1")).toBe("1");
});

const QUESTION = { id: "q1", text: "Overwrite?", choices: ["Yes", "No"] };

test("a question is put before a person at once, with its choices", () => {
  const run = asked(testRun(), QUESTION, contextAt(5));
  expect(run.stage).toMatchObject({
    kind: "escalated",
    escalation: {
      reason: "the agent asks: Overwrite?  [1) Yes  2) No]",
      question: QUESTION,
    },
  });
});

test("a question during another one, or while others work, is asked later", () => {
  const busy = asked(testRun({ stage: escalated("other") }), QUESTION, contextAt());
  expect(busy.stage).toMatchObject({ escalation: { reason: "other" } });
  const free = { ...busy, stage: { kind: "working" as const } };
  expect(raiseQuestion(free, contextAt()).stage.kind).toBe("escalated");
  const queued = asked(testRun({ stage: { kind: "queued", head: HEAD } }), QUESTION, contextAt());
  expect(queued.stage.kind).toBe("queued");
});

test("only the same question is closed by an answer at the terminal", () => {
  const run = asked(testRun(), QUESTION, contextAt());
  expect(answeredThere(run, "q2")).toBe(run);
  const closed = answeredThere(run, "q1");
  expect(closed.stage.kind).toBe("working");
  expect(raiseQuestion(closed, contextAt())).toBe(closed);
  const other = { ...run, stage: escalated("other") };
  expect(answeredThere(other, "q1").stage).toEqual(escalated("other"));
});

const SECOND = { id: "q2", text: "Delete?", choices: ["Yes", "No"] };
const twoAsked = (): Run => asked(asked(testRun(), QUESTION, contextAt()), SECOND, contextAt());

test("of two questions at once, the answer closes the one that was asked; the other comes next", () => {
  const run = raiseQuestion(
    answered(twoAsked(), { by: "ada", text: "Yes" }, contextAt()),
    contextAt(),
  );
  expect(run.messages).toMatchObject([{ kind: "answer" }]);
  expect(run.stage).toMatchObject({ kind: "escalated", escalation: { question: SECOND } });
});

test("a failure that came back before its answer is one question", () => {
  const again = asked(
    asked(testRun(), QUESTION, contextAt()),
    { ...QUESTION, id: "q3" },
    contextAt(),
  );
  const run = answered(again, { by: "ada", text: "Yes" }, contextAt());
  expect(raiseQuestion(run, contextAt()).stage.kind).toBe("working");
});

test("of two questions at once, each is closed at the terminal by its own answer, in any order", () => {
  const first = raiseQuestion(answeredThere(twoAsked(), "q1"), contextAt());
  expect(first.stage).toMatchObject({ kind: "escalated", escalation: { question: SECOND } });
  expect(raiseQuestion(answeredThere(first, "q2"), contextAt()).stage.kind).toBe("working");
  const second = raiseQuestion(answeredThere(twoAsked(), "q2"), contextAt());
  expect(second.stage).toMatchObject({ kind: "escalated", escalation: { question: QUESTION } });
  expect(raiseQuestion(answeredThere(second, "q1"), contextAt()).stage.kind).toBe("working");
});

test("an answer names the agent's question that it is for", () => {
  const yes = { by: "ada", text: "1" };
  const run = answered(asked(testRun(), QUESTION, contextAt()), yes, contextAt());
  expect(run.messages).toMatchObject([{ question: QUESTION }]);
  expect(run.messages[0]?.text).toContain("The question was: Overwrite?");
  const second = answered(twoAsked(), yes, contextAt());
  expect(second.messages).toMatchObject([{ question: QUESTION }]);
  const again = asked(
    asked(testRun(), QUESTION, contextAt()),
    { ...QUESTION, id: "q3" },
    contextAt(),
  );
  expect(answered(again, yes, contextAt()).messages).toMatchObject([{ question: { id: "q3" } }]);
});

test("an answer to a question of Pawl's, or of a session that has ended, is for no dialog", () => {
  const ofPawl = answered(testRun({ stage: escalated() }), REPLY, contextAt());
  expect(ofPawl.messages).toMatchObject([{ question: "none" }]);
  const run = asked(testRun(), QUESTION, contextAt());
  const ended = { ...run, session: testSession({ status: "ended" }) };
  const late = answered(ended, { by: "ada", text: "Yes" }, contextAt());
  expect(late.messages).toMatchObject([{ question: "none" }]);
});

test("the same words with other choices are another question", () => {
  const other = { ...QUESTION, id: "q3", choices: ["Yes", "Always"] };
  const both = asked(asked(testRun(), QUESTION, contextAt()), other, contextAt());
  const run = answered(both, { by: "ada", text: "Yes" }, contextAt());
  expect(run.messages).toMatchObject([{ question: { id: "q1" } }]);
  expect(raiseQuestion(run, contextAt()).stage).toMatchObject({ escalation: { question: other } });
});

const reasonOf = ({ stage }: Run): string =>
  stage.kind === "escalated" ? stage.escalation.reason : "";

test("a question while a person is asked something else is asked too, and both stay open", () => {
  const context = contextAt(5);
  const run = agentAsks(testRun({ stage: escalated("CI timeout") }), { reason: "Why?" }, context);
  expect(reasonOf(run)).toBe("Why?; still open: CI timeout");
  expect(kinds(context.output)).toEqual(["notify"]);
});

test("what was to be tried again waits for the agent, which has the answer first", () => {
  const again = { key: "k", lane: "l", effect: { kind: "check-branch", head: HEAD } } as never;
  const timedOut = escalate(testRun(), { reason: "CI timeout", again }, contextAt());
  const asked = agentAsks(timedOut, { reason: "Is that right?" }, contextAt());
  const run = answered(asked, { by: "ada", text: "No." }, contextAt());
  expect(run.stage.kind).toBe("working");
  expect(run.messages).toMatchObject([{ kind: "answer" }]);
});

test("the same question again is no news", () => {
  const context = contextAt();
  const run = testRun({ stage: escalated("Why?") });
  expect(agentAsks(run, { reason: "Why?" }, context)).toEqual(run);
  expect(kinds(context.output)).toEqual([]);
});

test("an agent that asks in a loop is announced a few times, and its text has a limit", () => {
  const context = contextAt();
  let run = testRun();
  for (let index = 0; index < 1_000; index += 1) {
    run = agentAsks(run, { reason: `Question ${index}?` }, context);
  }
  expect(kinds(context.output)).toHaveLength(10);
  expect(reasonOf(run)).toContain("Question 999?");
  expect(reasonOf(run).length).toBeLessThanOrEqual(4_000);
});

test("a dialog that another question came before is asked about when that one is answered", () => {
  const question = { id: "q1", text: "Run it?", choices: ["Yes", "No"] };
  const dialog = testRun();
  const evidence = { ...dialog.session?.evidence, question };
  const run = { ...dialog, session: { ...dialog.session, evidence } } as Run;
  const asked = agentAsks(
    escalate(run, { reason: "Run it?", question }, contextAt()),
    { reason: "Help" },
    contextAt(),
  );
  const next = answered(asked, { by: "ada", text: "ok" }, contextAt());
  expect(next.session?.evidence.question).toEqual(question);
});

const refused = (host: string) => ({ kind: "refused-host", host, why: "not in hosts" }) as const;
const live = (changes: Partial<Run> = {}): Run =>
  testRun({ session: testSession(), stage: { kind: "working" }, ...changes });

test("a person is asked about a refused host once per run, however often it is tried", () => {
  const context = contextAt(5);
  const run = hostRefused(live(), refused("pypi.org"), context);
  expect(run.stage).toMatchObject({ kind: "escalated", escalation: { host: "pypi.org" } });
  expect(run.hosts).toEqual([{ host: "pypi.org", why: "not in hosts", at: 5, status: "asked" }]);
  const back = answered(run, { by: "ada", text: "no" }, contextAt(6));
  expect(hostRefused(back, refused("pypi.org"), contextAt(7))).toBe(back);
  expect(raiseHost(back, contextAt(8))).toBe(back);
});

test("a host is asked about once more where the agent went on before a person answered", () => {
  const run = hostRefused(live(), refused("pypi.org"), contextAt(5));
  const others = { ...run, stage: { kind: "queued", head: HEAD } } as const;
  expect(raiseHost(others, contextAt(6))).toBe(others);
  const back = raiseHost({ ...run, stage: { kind: "working" } }, contextAt(7));
  expect(back.stage).toMatchObject({ kind: "escalated", escalation: { host: "pypi.org" } });
  expect(allowedHosts(answered(back, { by: "ada", text: "allow" }, contextAt(8)))).toEqual([
    "pypi.org",
  ]);
  // Each question holds the run up, and the agent may not need the host at all.
  const later: Run = { ...back, stage: { kind: "working" } };
  expect(raiseHost(later, contextAt(9))).toBe(later);
});

test("a host that is refused while another question is open is asked about afterwards", () => {
  const busy = hostRefused(live({ stage: escalated() }), refused("pypi.org"), contextAt());
  expect(busy.hosts).toMatchObject([{ status: "open" }]);
  const free = raiseHost({ ...busy, stage: { kind: "working" } }, contextAt());
  expect(free.stage).toMatchObject({ kind: "escalated", escalation: { host: "pypi.org" } });
});

test.each([
  "192.0.2.1",
  "[2001:db8::1]:8443",
  "2130706433",
  "localhost",
  "leads.test",
  "below.leads.test",
])("no person is asked about %s, because no answer can allow it", (host) => {
  const run = live();
  const isolation = {
    mode: "bwrap",
    network: "hosts",
    hosts: ["leads.test", "*.leads.test"],
    read: [],
    write: [],
    devices: [],
    tmpMb: 1,
  } as const;
  const walled = { ...run, config: { ...run.config, isolation } } as unknown as Run;
  const refusedOnce = hostRefused(walled, refused(host), contextAt());
  expect(refusedOnce.hosts).toMatchObject([{ host, status: "never" }]);
  expect(refusedOnce.stage).toEqual({ kind: "working" });
});

test.each(["allow", "Allow it", " yes"])("the answer %j opens the host for the run", (text) => {
  const asked = hostRefused(live(), refused("pypi.org:8443"), contextAt());
  const run = answered(asked, { by: "ada", text }, contextAt());
  expect(allowedHosts(run)).toEqual(["pypi.org:8443"]);
  expect(run.stage.kind).toBe("working");
  expect(run.messages.at(-1)?.text).toContain("You may reach pypi.org:8443 now");
});

test("any other answer keeps it closed, and its words reach the agent", () => {
  const asked = hostRefused(live(), refused("pypi.org"), contextAt());
  const run = answered(asked, { by: "ada", text: "Use the vendored copy." }, contextAt());
  expect(allowedHosts(run)).toEqual([]);
  expect(run.messages.at(-1)?.text).toMatch(/may not reach pypi\.org.*Use the vendored copy\./s);
});

test("where the agent asks for help too, the answer still opens the host", () => {
  const asked = hostRefused(live(), refused("pypi.org"), contextAt());
  const both = agentAsks(asked, { reason: "I cannot install anything." }, contextAt());
  expect(reasonOf(both)).toContain("I cannot install anything.; still open: ");
  const run = answered(both, { by: "ada", text: "allow" }, contextAt());
  expect(allowedHosts(run)).toEqual(["pypi.org"]);
});

test("where the agent asks for help at the end of its budget, an answer raises it all the same", () => {
  const spending = { total: { tokens: 9 }, from: { tokens: 0 } } as unknown as NonNullable<
    Run["spending"]
  >;
  const asked = escalate(live({ spending }), { reason: "spent", budget: true }, contextAt());
  const both = agentAsks(asked, { reason: "Which one?" }, contextAt());
  const run = answered(both, { by: "ada", text: "blue" }, contextAt());
  expect(run.spending?.from).toEqual({ tokens: 9 });
});

test("a session that tries many names fills no journal", () => {
  let run = live();
  for (let number = 0; number < 80; number += 1) {
    run = hostRefused(run, refused(`h${number}.test`), contextAt());
  }
  expect(run.hosts).toHaveLength(50);
});
