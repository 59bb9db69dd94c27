import { expect, test } from "vitest";
import { stepped, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import type { Letter } from "../mail/letter.ts";
import type { Run } from "./run.ts";

const LETTER: Letter = {
  id: "7",
  thread: "7",
  from: "dev-9",
  to: "dev-42",
  subject: "The API changed",
  body: "See docs.",
  priority: "urgent",
  at: 1,
  state: { kind: "waiting", until: 100 },
};

const mailOf = (output: ReturnType<typeof stepped>["output"]) =>
  output.tells.flatMap(({ to, event }) => (to === "mail:toy" ? [event] : []));
const atWork = (more: Partial<Run> = {}): Run => testRun({ stage: { kind: "working" }, ...more });
const withLetter = (status: "queued" | "delivered" | "told"): Run =>
  atWork({
    messages: [
      testMessage({ kind: "mail", status, epoch: 1, letter: { id: "7", priority: "normal" } }),
    ],
  });

test("a letter becomes an urgent message, its words quoted as data, and the mailbox hears who has it", () => {
  const { run, output } = stepped(atWork(), { kind: "mail-arrived", at: 5, letter: LETTER });
  expect(run.messages).toMatchObject([{ kind: "mail", urgent: true, letter: { id: "7" } }]);
  expect(run.messages[0]?.text).toContain("```\nSee docs.\n```");
  expect(run.messages[0]?.text).toContain("pawl mail reply 7");
  expect(mailOf(output)).toMatchObject([{ kind: "mail-handed", id: "7", run: "42.1" }]);
});

test("a run that is ending is not handed a letter", () => {
  const over = testRun({ outcome: { kind: "blocked", reason: "x" } });
  const { run, output } = stepped(over, { kind: "mail-arrived", at: 5, letter: LETTER });
  expect(run.messages).toEqual([]);
  expect(mailOf(output)).toEqual([]);
});

test("the agent's acknowledgement reaches the mailbox", () => {
  const event = { kind: "message-acknowledged", at: 5, epoch: 1, id: "m1" } as const;
  const { output } = stepped(withLetter("delivered"), event);
  expect(mailOf(output)).toEqual([{ kind: "mail-acknowledged", at: 5, id: "7", by: "dev-42" }]);
  const said = { kind: "spool-received", at: 5, epoch: 1, name: "x" } as const;
  const text = JSON.stringify({ v: 1, kind: "mail-ack", id: "7" });
  expect(mailOf(stepped(withLetter("delivered"), { ...said, text }).output)).toMatchObject([
    { kind: "mail-acknowledged", id: "7" },
  ]);
  const other = JSON.stringify({ v: 1, kind: "mail-ack", id: "8" });
  expect(mailOf(stepped(withLetter("delivered"), { ...said, text: other }).output)).toEqual([]);
});

test("a run that ends gives unread letters back", () => {
  const run = { ...withLetter("queued"), session: testSession({ status: "ended" }) };
  const { output, run: after } = stepped(run, {
    kind: "issue-observed",
    at: 9,
    state: "closed",
    labels: [],
  });
  expect(mailOf(output)).toEqual([{ kind: "mail-returned", at: 9, id: "7", run: "42.1" }]);
  expect(after.messages).toMatchObject([{ status: "void" }]);
});

test("an agent's letter goes out in its own name, also if it claims another", () => {
  const text = JSON.stringify({ v: 1, kind: "mail", to: "operator", subject: "Hi", from: "ada" });
  const event = { kind: "spool-received", at: 5, epoch: 1, name: "x", text } as const;
  expect(mailOf(stepped(atWork(), event).output)).toEqual([
    {
      kind: "mail-sent",
      at: 5,
      project: "toy",
      run: "42.1",
      letter: { from: "dev-42", to: "operator", subject: "Hi", body: "", priority: "normal" },
    },
  ]);
});

test("an agent whose hooks saw no daemon tells the deacon", () => {
  const text = JSON.stringify({ v: 1, kind: "ping", silent: 75 });
  const event = { kind: "spool-received", at: 5, epoch: 1, name: "x", text } as const;
  expect(mailOf(stepped(atWork(), event).output)).toMatchObject([
    {
      kind: "mail-sent",
      letter: { from: "dev-42", to: "deacon", subject: "WITNESS_PING: no daemon for 75 s" },
    },
  ]);
});

test("an agent hears why its letter was refused", () => {
  const event = { kind: "mail-refused", at: 5, subject: "Hi", problem: "no recipient" } as const;
  expect(stepped(atWork(), event).run.messages).toMatchObject([
    { kind: "notice", text: 'Your mail "Hi" was not sent: no recipient.' },
  ]);
});
