import { expect, test } from "vitest";
import { projectName } from "../ids.ts";
import { mayBeginAgain, type Action } from "./action.ts";

const MINUTE_MS = 60_000;

const action = (stage: Action["stage"]): Action => ({
  kind: "action",
  project: projectName("toy"),
  issue: 7,
  title: "Clean",
  attempt: 1,
  stage,
});

test("one that is under way is not begun again", () => {
  expect(mayBeginAgain(action({ kind: "task", key: "k" }), MINUTE_MS)).toBe(false);
});

test("one that was answered is begun again at once, one that could not be begun after a while", () => {
  const blocked = action({ kind: "ended", outcome: { kind: "blocked", reason: "no" }, at: 0 });
  expect(mayBeginAgain(blocked, 0)).toBe(true);
  const lost = action({ kind: "ended", outcome: { kind: "lost", reason: "refused" }, at: 0 });
  expect(mayBeginAgain(lost, MINUTE_MS)).toBe(false);
  expect(mayBeginAgain(lost, 5 * MINUTE_MS)).toBe(true);
});
