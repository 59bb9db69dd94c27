import { expect, test } from "vitest";
import type { DriverEvent } from "../shared/agent-host/driver.ts";
import { Turns } from "./turns.ts";

const BUSY = { type: "busy" } as const;
const IDLE = { type: "idle" } as const;
const TOO_MANY = { type: "retry", message: "too many requests", next: 2000 } as const;

function createWorld(unanswered = 0) {
  const events: DriverEvent[] = [];
  const did: string[] = [];
  let left = unanswered;
  const turns = new Turns({
    onEvent: (event) => events.push(event),
    interrupt: () => did.push("interrupted"),
    sayAgain: () => {
      left -= 1;
      if (left >= 0) did.push("said again");
      return left >= 0;
    },
    now: () => 1000,
  });
  return { turns, events, did };
}

test("the host's own turn ends where opencode is idle after it was busy", async () => {
  const { turns, events } = createWorld();
  const end = turns.begin();
  turns.hear(IDLE);
  for (const status of [BUSY, BUSY]) turns.hear(status);
  expect(turns.isBusy).toBe(true);
  turns.hear(IDLE);
  expect([await end, turns.isBusy, events]).toEqual([{ kind: "ended" }, false, []]);
});

test("the turn of a person at the screen is told", () => {
  const { turns, events } = createWorld();
  for (const status of [BUSY, IDLE]) turns.hear(status);
  const end = { kind: "ended" };
  expect(events).toEqual([{ kind: "turn-began" }, { kind: "turn-ended", end }]);
});

test("the third try in vain is a limit, and opencode is told to stop", async () => {
  const { turns, did } = createWorld();
  const end = turns.begin();
  turns.hear(BUSY);
  for (const attempt of [1, 2]) turns.hear({ ...TOO_MANY, attempt });
  expect(did).toEqual([]);
  turns.hear({ ...TOO_MANY, attempt: 3 });
  turns.hear(IDLE);
  expect(did).toEqual(["interrupted"]);
  expect(await end).toMatchObject({ kind: "limited", until: undefined });
});

test("a turn that failed tells it once, also where its error comes a second time", async () => {
  const { turns } = createWorld();
  const failed = turns.begin();
  turns.hear(BUSY);
  turns.failed({ name: "UnknownError", data: { message: "Model not found" } });
  turns.hear(IDLE);
  expect(await failed).toEqual({ kind: "failed", reason: "UnknownError: Model not found" });
  const next = turns.begin();
  turns.failed({ name: "UnknownError", data: { message: "Model not found" } });
  for (const status of [BUSY, IDLE]) turns.hear(status);
  expect(await next).toEqual({ kind: "ended" });
});

test("a turn is not over while a prompt without an answer is said again", async () => {
  const { turns, did } = createWorld(1);
  const end = turns.begin();
  turns.hear(IDLE);
  expect(did).toEqual(["said again"]);
  for (const status of [BUSY, IDLE]) turns.hear(status);
  expect(await end).toEqual({ kind: "ended" });
});
