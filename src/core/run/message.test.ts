import { expect, test } from "vitest";
import { contextAt, testMessage, testRun, testSession, wants } from "../../../test/support/run.ts";
import {
  acknowledged,
  deliverQueued,
  delivered,
  isActionable,
  isOpen,
  messageFile,
  openMessages,
  post,
} from "./message.ts";

test("a message is open until its reading is known or was passed over", () => {
  const statuses = ["queued", "delivered", "told", "acknowledged", "unconfirmed"] as const;
  expect(statuses.filter((status) => isOpen(testMessage({ status })))).toEqual([
    "queued",
    "delivered",
    "told",
  ]);
});

test("only news that asks for work is worth a new life", () => {
  const waits = ["ci-passed", "approved", "landed", "not-merged", "ci-timeout", "review-timeout"];
  const works = ["ci-failed", "conflict", "tests-failed", "review-changes", "nudge", "answer"];
  const actionable = (kind: string): boolean => isActionable(testMessage({ kind } as never));
  expect(waits.filter(actionable)).toEqual([]);
  expect(works.filter(actionable)).toEqual(works);
});

test("the file in the inbox names the message and its kind before its text", () => {
  expect(messageFile(testMessage())).toBe("Id: m1\nKind: ci-failed\n\nCI failed.\n");
});

test("an answer names the question it is for, also that it is for none", () => {
  const question = { id: "q1", text: "Overwrite?", choices: ["Yes", "No"] };
  const post1 = (news: object): string =>
    messageFile(post(testRun(), { kind: "answer", text: "x", ...news }, contextAt()).messages[0]!);
  expect(post1({ question })).toBe("Id: m1\nKind: answer\nQuestion: q1\n\nx\n");
  expect(post1({ question, urgent: true })).toContain("\nQuestion: q1\nUrgent: yes\n\n");
  expect(post1({})).toBe("Id: m1\nKind: answer\nQuestion: none\n\nx\n");
  const older = testMessage({ kind: "answer", text: "x" });
  expect(messageFile(older)).toBe("Id: m1\nKind: answer\n\nx\n");
});

const NEWS = { kind: "ci-passed", text: "CI passed." } as const;

test("a message is numbered, written down and delivered to the living session", () => {
  const context = contextAt(5);
  const run = post(testRun(), NEWS, context);
  expect(run.messages).toMatchObject([{ id: "m1", status: "queued", epoch: 1, at: 5 }]);
  expect(wants(testRun(), run).effects).toMatchObject([
    {
      key: "run:toy/42.1:deliver:1:m1",
      lane: "run:toy/42.1:messages",
      effect: { epoch: 1, id: "m1" },
    },
  ]);
});

test.each(["spawning", "ending", "ended"] as const)(
  "nothing is put before a session that is %s",
  (status) => {
    const before = testRun({ session: testSession({ status }) });
    const run = post(before, NEWS, contextAt());
    expect(wants(before, run).effects).toEqual([]);
    expect(openMessages(run)).toHaveLength(1);
  },
);

test("what is on its way to a life is not sent to it again", () => {
  const posted = post(testRun(), NEWS, contextAt());
  expect(wants(posted, deliverQueued(posted)).effects).toEqual([]);
});

test("several messages go out in the order they were posted", () => {
  const messages = [testMessage({ id: "m1" }), testMessage({ id: "m2" })];
  const run = testRun({ messages });
  expect(
    wants(run, deliverQueued(run)).effects.map(({ effect }) => "id" in effect && effect.id),
  ).toEqual(["m1", "m2"]);
});

test("a delivered message is still open; an acknowledged one is not", () => {
  const run = testRun({ messages: [testMessage()] });
  expect(openMessages(delivered(run, "m1"))).toMatchObject([{ status: "delivered" }]);
  expect(openMessages(acknowledged(run, "m1"))).toEqual([]);
});

test("a late delivery report does not reopen what was acknowledged", () => {
  const run = acknowledged(testRun({ messages: [testMessage()] }), "m1");
  expect(delivered(run, "m1").messages).toMatchObject([{ status: "acknowledged" }]);
});

test("old acknowledged messages are forgotten, open ones never", () => {
  const old = Array.from({ length: 40 }, (_, at) =>
    testMessage({ id: `m${at}`, status: at === 0 ? "told" : "acknowledged" }),
  );
  const run = post(testRun({ messages: old, nextMessage: 40 }), NEWS, contextAt());
  expect(run.messages).toHaveLength(30);
  expect(run.messages[0]?.id).toBe("m0");
});
