import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { EscalationView } from "../../api/escalations.ts";

const QUESTION: EscalationView = {
  project: "toy",
  issue: 7,
  title: "Fix the parser",
  run: "7.1",
  identity: "dev-7",
  reason: "Which form is meant?",
  since: ago(10),
  deadline: ago(-60),
  phase: "escalate",
  pr: null,
  branch: "pawl/7-fix",
  alive: true,
  choices: [],
};

test("questions are listed", async () => {
  const answers = { "GET /v1/escalations": [QUESTION] };
  expect((await pawlOnTty(["escalation", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "ISSUE  TITLE           QUESTION              ASKED       DEADLINE
    #7     Fix the parser  Which form is meant?  10 min ago  in 1 h
    "
  `);
  expect((await pawl(["escalation", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "7	Fix the parser	Which form is meant?	2026-03-01T11:50:00.000Z	2026-03-01T13:00:00.000Z	toy
    "
  `);
  const none = { "GET /v1/escalations?all=true": [] };
  expect(await pawl(["escalation", "list", "--all"], { answers: none })).toMatchObject({
    code: 0,
    stderr: "nothing waits for an answer\n",
  });
});

test("a question is shown with the end of the terminal and how to answer", async () => {
  const answers = { "GET /v1/escalations/7": { ...QUESTION, log: "? form A or B" } };
  const { stdout, stderr } = await pawlOnTty(["escalation", "show", "7"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "#7 Fix the parser
    question  Which form is meant?
    since     10 min ago
    deadline  in 1 h
    agent     dev-7 (alive)
    branch    pawl/7-fix

    ? form A or B
    "
  `);
  expect(stderr).toBe(
    '\nanswer with:\n  pawl escalation answer 7 "…" --since 2026-03-01T11:50:00.000Z\n',
  );
  expect(Math.max(...stderr.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test.each([
  [{ alive: true }, "dev-7 (alive)"],
  [{ alive: false, starting: true }, "dev-7 (starting)"],
  [{ alive: false }, "dev-7 (ended)"],
])("a question says whether its agent lives: %j", async (agent, said) => {
  const answers = { "GET /v1/escalations/7": { ...QUESTION, ...agent, log: "" } };
  expect((await pawl(["escalation", "show", "7"], { answers })).stdout).toContain(said);
});

test("an answer is a word or a file", async () => {
  const world = { answers: { "POST /v1/runs/7/answer": {} }, files: { "a.md": "B\n" } };
  const word = await pawl(["escalation", "answer", "7", "form B"], world);
  expect(word).toMatchObject({
    code: 0,
    stderr: "answered #7; it continues: `pawl logs 7 --follow`\n",
    calls: [["POST /v1/runs/7/answer", { by: "ada", text: "form B" }]],
  });
  const since = ago(10);
  const read = await pawl(["escalation", "answer", "7", "B", "--since", since], world);
  expect(read.calls).toEqual([["POST /v1/runs/7/answer", { by: "ada", text: "B", since }]]);
  const file = await pawl(["escalation", "answer", "7", "--body-file", "a.md"], world);
  expect(file.calls).toEqual([["POST /v1/runs/7/answer", { by: "ada", text: "B\n" }]]);
});

test("an overdue gate is a question like the others", async () => {
  const gate: EscalationView = {
    ...QUESTION,
    issue: null,
    run: null,
    identity: "gate:g1",
    deadline: null,
    branch: null,
    choices: ["close", "refuse", "wait"],
  };
  const world = {
    answers: {
      "GET /v1/escalations": [gate],
      "GET /v1/escalations/gate/g1": { ...gate, log: "" },
      "POST /v1/escalations/gate/g1/answer": {},
    },
  };
  const listed = await pawlOnTty(["escalation", "list"], world);
  expect(listed.stdout).toContain("gate:g1");
  // In a pipe too: this is the name that `escalation answer` takes.
  expect((await pawl(["escalation", "list"], world)).stdout).toMatch(/^gate:g1\t/);
  const shown = await pawlOnTty(["escalation", "show", "gate:g1"], world);
  expect(shown.stdout).toMatch(/asks +gate:g1\nchoices +close, refuse, wait/);
  // Only the questions of a run follow each other under one name.
  expect(shown.stderr).toBe('\nanswer with:\n  pawl escalation answer gate:g1 "…"\n');
  const said = await pawl(["escalation", "answer", "gate:g1", "wait"], world);
  expect(said.calls).toEqual([
    ["POST /v1/escalations/gate/g1/answer", { by: "ada", text: "wait" }],
  ]);
});

test("an empty answer is wrong usage", async () => {
  expect(await pawl(["escalation", "answer", "7"])).toMatchObject({ code: 2, calls: [] });
  expect(await pawl(["escalation", "answer", "7", " "])).toMatchObject({ code: 2, calls: [] });
});

test("an agent cannot answer questions: nothing is sent to the daemon", async () => {
  const refused = await pawl(["escalation", "answer", "7", "yes"], { env: { PAWL_RUN: "7.1" } });
  expect(refused).toMatchObject({ code: 4, calls: [] });
  expect(refused.stderr).toContain("`pawl escalation answer` is not allowed inside a session");
});

test("a question of the project is shown with a command for each choice", async () => {
  const one = {
    ...QUESTION,
    issue: null,
    run: null,
    identity: "target",
    title: "the gate fails on main",
    choices: ["check again", "start anyway"],
    log: Array.from({ length: 30 }, (_, index) => `line ${index}.`).join("\n"),
  };
  const shown = await pawlOnTty(["escalation", "show", "target"], {
    answers: { "GET /v1/escalations/target": one },
  });
  expect(shown.stdout).toMatch(/^the gate fails on main\n/);
  expect(shown.stdout).not.toContain("asks");
  expect(shown.stdout).toContain("line 0.");
  expect(shown.stderr).toBe(
    '\nanswer with:\n  pawl escalation answer target "check again"\n  pawl escalation answer target "start anyway"\n',
  );
});
