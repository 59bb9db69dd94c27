import { expect, test } from "vitest";
import { runId } from "../ids.ts";
import { isOpenLetter, isUnread, type Letter, type LetterState } from "./letter.ts";

const letter = (state: LetterState): Letter => ({
  id: "1",
  thread: "1",
  from: "operator",
  to: "dev",
  subject: "s",
  body: "",
  priority: "normal",
  at: 0,
  state,
});

test.each<[LetterState, boolean, boolean]>([
  [{ kind: "waiting", until: 5 }, true, true],
  [{ kind: "handed", run: runId("1.1") }, true, false],
  [{ kind: "read", at: 1 }, true, false],
  [{ kind: "acknowledged", at: 1, by: "ada" }, false, false],
  [{ kind: "dead", at: 1, why: "not collected" }, false, true],
])("%o is open: %s, unread: %s", (state, open, unread) => {
  expect([isOpenLetter(letter(state)), isUnread(letter(state))]).toEqual([open, unread]);
});
