import { expect, test } from "vitest";
import { JoinedMessages } from "./joined.ts";
import type { Item } from "./protocol.ts";

const kept = (clientId: string | null): Item => ({
  type: "userMessage",
  id: "i1",
  clientId,
  content: [],
});
const ANSWER: Item = { type: "other", id: "i2" };

function joined() {
  const messages = new JoinedMessages();
  const id = messages.send("N-1;");
  return { messages, id };
}

test("a message that its model was told and has answered is not said again", () => {
  const { messages, id } = joined();
  expect(messages.accepted(id)).toBe(true);
  messages.hear(kept(null));
  messages.hear(kept(id));
  messages.hear(ANSWER);
  expect(messages.left("completed")).toBeUndefined();
});

test("a message without its id is known by its words", () => {
  const { messages, id } = joined();
  messages.accepted(id);
  messages.hear({ ...kept(null), content: [{ type: "text", text: "N-1;" }] } as Item);
  messages.hear(ANSWER);
  expect(messages.left("completed")).toBeUndefined();
});

test("a message that an interrupted turn has dropped is said after it, once", () => {
  const { messages, id } = joined();
  messages.accepted(id);
  expect(messages.left("interrupted")).toBe("N-1;");
  expect(messages.left("completed")).toBeUndefined();
});

test("a message that came as the turn was ending is not repeated, but its model is asked to answer it", () => {
  const { messages, id } = joined();
  messages.hear(ANSWER);
  messages.hear(kept(id));
  expect(messages.accepted(id)).toBe(true);
  expect(messages.left("completed")).toMatch(/^The message above/);
  expect(messages.left("completed")).toBeUndefined();
});

test("a message that was accepted only after its turn was over is not said yet", () => {
  const { messages, id } = joined();
  expect(messages.left("completed")).toBeUndefined();
  expect(messages.accepted(id)).toBe(false);
});

test("a message that was refused, or is in a failed turn, is not said by the driver", () => {
  const { messages, id } = joined();
  messages.refused(id);
  expect(messages.left("interrupted")).toBeUndefined();
  messages.accepted(messages.send("N-2;"));
  expect(messages.left("failed")).toBeUndefined();
});
