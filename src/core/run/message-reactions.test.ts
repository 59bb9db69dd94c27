import { expect, test } from "vitest";
import {
  contextAt,
  stepped,
  testMessage,
  testRun,
  testSession,
} from "../../../test/support/run.ts";
import {
  HELD_MS,
  closeHeld,
  hasBegun,
  messageNotTyped,
  noteBegun,
  nudged,
} from "./message-reactions.ts";
import { acknowledged, delivered, mapMessages, notTyped, type LineComment } from "./message.ts";
import type { Run } from "./run.ts";
import type { Letter } from "../mail/letter.ts";

const REASON = 'cannot type message m1: the prompt box holds text that was not sent ("half a")';

const told = (change: Partial<Run> = {}): Run =>
  testRun({ messages: [testMessage({ epoch: 1 })], ...change });

const held = (run: Run, at: number): Run =>
  messageNotTyped(
    run,
    { kind: "message-held", at, epoch: 1, id: "m1", reason: REASON },
    contextAt(at),
  );

test("what is in the way of a message is shown from the first failed attempt on, once", () => {
  const twice = held(held(told(), 10), 20);
  expect(twice.stage.kind).toBe("working");
  expect(twice.messages).toMatchObject([{ held: { since: 10, reason: REASON } }]);
  expect(twice.warnings).toEqual([{ at: 10, text: REASON }]);
});

test("if it lasts, a person is asked with the true reason, and not about an idle agent", () => {
  const asked = held(held(told(), 0), HELD_MS);
  expect(asked.stage).toMatchObject({
    kind: "escalated",
    escalation: {
      message: "m1",
      reason: `message m1 (ci-failed) cannot be delivered: ${REASON}`,
    },
  });
});

test("no person is asked while one is attached, or about a message that was accepted", () => {
  const attended = told({ session: testSession({ attached: true }) });
  expect(held(held(attended, 0), HELD_MS).stage.kind).toBe("working");
  const read = told({ messages: [testMessage({ epoch: 1, status: "acknowledged" })] });
  expect(held(read, HELD_MS)).toBe(read);
});

test("no person is asked about a message to a session that has ended, and its successor is not put forward", () => {
  const gone = { ...told(), session: testSession({ status: "ended" }), respawnAt: 2 * HELD_MS };
  const event = { kind: "message-held", at: HELD_MS, epoch: 1, id: "m1", reason: REASON } as const;
  const { run, output } = stepped(held(gone, 0), event);
  expect(run).toMatchObject({ stage: { kind: "working" }, respawnAt: 2 * HELD_MS });
  expect(output.effects.filter(({ effect }) => effect.kind === "notify")).toEqual([]);
});

test("the question closes by itself when the agent has accepted the message", () => {
  const asked = held(held(told(), 0), HELD_MS);
  expect(closeHeld(asked)).toBe(asked);
  const accepted = mapMessages(asked, (message) => ({ ...message, status: "acknowledged" }));
  expect(closeHeld(accepted).stage).toEqual({ kind: "working" });
});

test("the question stays open when typing the message is given up, until the agent has read it", () => {
  const asked = notTyped(held(held(told(), 0), HELD_MS), "m1");
  expect(closeHeld(asked)).toBe(asked);
  expect(closeHeld(acknowledged(asked, "m1")).stage).toEqual({ kind: "working" });
  const later = delivered(held(held(told(), 0), HELD_MS), "m1");
  expect(closeHeld(later).stage).toEqual({ kind: "working" });
});

test("the question closes where its session is gone: the next life has the message in its prompt", () => {
  const asked = held(held(told(), 0), HELD_MS);
  const exiting = stepped(asked, { kind: "session-exited", at: 70_000, epoch: 1, exit: undefined });
  expect(exiting.run.stage.kind).toBe("escalated");
  const gone = stepped(exiting.run, { kind: "session-ended", at: 71_000, epoch: 1 }).run;
  expect(gone).toMatchObject({ epoch: 2, stage: { kind: "working" }, messages: [{ epoch: 2 }] });
});

test("after an answer the same question is not asked again at once", () => {
  const asked = held(held(told(), 0), HELD_MS);
  const again = held({ ...asked, stage: { kind: "working" } }, HELD_MS + 1);
  expect(again.stage.kind).toBe("working");
  expect(held(again, 2 * HELD_MS).stage.kind).toBe("escalated");
});

const BEGIN = { text: "Begin.", epoch: 1 };

test("a session has begun once its hooks tell of a turn, however soon after the start", () => {
  const run = testRun();
  const session = testSession({ startedAt: 0, lastProgress: 1_000 });
  expect(hasBegun(session)).toBe(false);
  for (const kind of ["prompt", "tool", "stop", "question", "limit"] as const) {
    expect(noteBegun(run, kind).session).toMatchObject({ begun: true });
  }
  expect(hasBegun({ ...session, begun: true })).toBe(true);
  expect(hasBegun({ ...session, spoke: true })).toBe(true);
});

test("that its hooks and its statusline work does not mean that it has begun", () => {
  const run = testRun();
  for (const kind of ["started", "ping", "statusline", "context", "usage"] as const) {
    expect(noteBegun(run, kind)).toBe(run);
  }
});

test("a session that has begun is not told to begin, nor is its successor", () => {
  const waiting = testRun();
  expect(nudged(waiting, BEGIN, contextAt(30_000)).messages).toMatchObject([
    { kind: "nudge", text: "Begin.", begin: true },
  ]);
  const busy = noteBegun(waiting, "tool");
  expect(nudged(busy, BEGIN, contextAt(30_000))).toBe(busy);
  const successor = testRun({ session: testSession({ epoch: 2 }) });
  expect(nudged(successor, BEGIN, contextAt(30_000))).toBe(successor);
});

test("a person may nudge a session that works", () => {
  const busy = noteBegun(testRun(), "tool");
  expect(nudged(busy, { text: "Hurry." }, contextAt()).messages).toMatchObject([{ kind: "nudge" }]);
});

test("a session that begins before it was told to is not told any more", () => {
  const told = nudged(testRun(), BEGIN, contextAt(30_000));
  expect(noteBegun(told, "prompt").messages).toMatchObject([{ status: "void" }]);
  const other = testRun({ messages: [testMessage({ epoch: 1 })] });
  expect(noteBegun(other, "prompt").messages).toMatchObject([{ status: "queued" }]);
});

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

test("a run that is ending is not handed a letter, and gives it back", () => {
  const over = testRun({ outcome: { kind: "blocked", reason: "x" } });
  const { run, output } = stepped(over, { kind: "mail-arrived", at: 5, letter: LETTER });
  expect(run.messages).toEqual([]);
  expect(mailOf(output)).toEqual([{ kind: "mail-returned", at: 5, id: "7", run: "42.1" }]);
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

const COMMENT: LineComment = {
  path: "paint.txt",
  line: 2,
  side: "new",
  code: ["the wall is blue"],
  text: "Make it green.",
  by: "Ada",
};

test("a comment on a line is a message with the lines it is about, also while a person holds the run", () => {
  const theirs = testRun({ held: { by: "Ada", at: 1 } });
  const { run } = stepped(theirs, { kind: "line-commented", at: 1, comment: COMMENT });
  const message = run.messages.at(-1);
  expect(message).toMatchObject({ kind: "comment", comment: COMMENT });
  for (const words of ["Ada says about paint.txt, line 2", "Make it green.", "the wall is blue"])
    expect(message?.text).toContain(words);
});

test("when a comment was read is kept, and is not changed by later events", () => {
  const { run } = stepped(testRun(), { kind: "line-commented", at: 1, comment: COMMENT });
  const id = run.messages.at(-1)?.id ?? "";
  const epoch = run.session?.epoch ?? 0;
  const read = { kind: "message-acknowledged", at: 7, epoch, id } as const;
  const known = stepped(run, read).run;
  expect(known.messages.at(-1)).toMatchObject({ status: "acknowledged", readAt: 7 });
  expect(stepped(known, { ...read, at: 9 }).run.messages.at(-1)?.readAt).toBe(7);
});
