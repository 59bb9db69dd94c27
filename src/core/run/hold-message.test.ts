import { expect, test } from "vitest";
import { contextAt, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import { closeHeld, HELD_MS, messageNotTyped } from "./hold-message.ts";
import { acknowledged, delivered, mapMessages, notTyped } from "./post.ts";
import type { Run } from "./run.ts";

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

test("after an answer the same question is not asked again at once", () => {
  const asked = held(held(told(), 0), HELD_MS);
  const again = held({ ...asked, stage: { kind: "working" } }, HELD_MS + 1);
  expect(again.stage.kind).toBe("working");
  expect(held(again, 2 * HELD_MS).stage.kind).toBe("escalated");
});
