import { expect, test } from "vitest";
import { FACTORY, projectName } from "../ids.ts";
import type { Letter, LetterState } from "./letter.ts";
import { bounded, change, letterId, mailDeadline, newMailbox, unreadFor } from "./mailbox.ts";

const letter = (id: number, state: LetterState): Letter => ({
  id: String(id),
  thread: String(id),
  from: "operator",
  to: "dev",
  subject: "s",
  body: "",
  priority: "normal",
  at: id,
  state,
});
const box = (letters: Letter[]) => ({ ...newMailbox(projectName("toy")), letters });

test("letters of the factory are told apart from those of a project", () => {
  expect(letterId(newMailbox(projectName("toy")))).toBe("1");
  expect(letterId(newMailbox(FACTORY))).toBe("f1");
});

test("only acknowledged letters are forgotten, the oldest first", () => {
  const over = Array.from({ length: 250 }, (_, at) =>
    letter(at, { kind: "acknowledged", at: 1, by: "ada" }),
  );
  const kept = bounded(box([letter(900, { kind: "dead", at: 1, why: "x" }), ...over])).letters;
  expect(kept).toHaveLength(201);
  expect(kept[0]?.id).toBe("900");
  expect(kept[1]?.id).toBe("50");
});

test("a change that changes nothing leaves the very same mailbox", () => {
  const one = box([letter(1, { kind: "waiting", until: 5 })]);
  expect(change(one, "1", (same) => same)).toBe(one);
  expect(change(one, "2", (same) => ({ ...same, subject: "t" }))).toBe(one);
});

test("the next deadline is the soonest of those that wait for an agent", () => {
  const waiting = [9, 5, undefined].map((until, at) => letter(at, { kind: "waiting", until }));
  expect(mailDeadline(box(waiting))).toBe(5);
  expect(mailDeadline(box([letter(1, { kind: "read", at: 1 })]))).toBeUndefined();
});

test("unread is what waits and what is dead", () => {
  const letters = [
    letter(1, { kind: "waiting", until: 5 }),
    letter(2, { kind: "read", at: 1 }),
    letter(3, { kind: "dead", at: 1, why: "x" }),
  ];
  expect(unreadFor(box(letters), "dev").map(({ id }) => id)).toEqual(["1", "3"]);
  expect(unreadFor(box(letters), "operator")).toEqual([]);
});
