import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { projectName, runId } from "../ids.ts";
import type { NewLetter } from "./letter.ts";
import { mailDeadline, type Mailbox } from "./mailbox.ts";
import { stepMail } from "./step-mail.ts";

const project = projectName("toy");
const run = runId("4.1");
const HOUR_MS = 3_600_000;

function stepped(box: Mailbox | undefined, event: Event): { box: Mailbox; output: Output } {
  const output = emptyOutput();
  const next = stepMail(box, event, output);
  if (next === undefined) throw new Error("no mailbox");
  return { box: next, output };
}

const send = (box: Mailbox | undefined, letter: Partial<NewLetter>, more: { at?: number } = {}) =>
  stepped(box, {
    kind: "mail-sent",
    at: more.at ?? 10,
    project,
    run,
    letter: {
      from: "operator",
      to: "dev-4",
      subject: "s",
      body: "b",
      priority: "normal",
      ...letter,
    },
  });

test("the first letter makes the mailbox; who is meant is asked of the project", () => {
  const { box, output } = send(undefined, {});
  expect(box.letters).toMatchObject([{ id: "1", thread: "1", state: { kind: "waiting" } }]);
  expect(output.tells).toMatchObject([
    { to: "project:toy", event: { kind: "mail-posted", letter: { id: "1" } } },
  ]);
});

test("a letter to the operator is brought to them, and waits as long as they like", () => {
  const { box, output } = send(undefined, { to: "operator", from: "dev-4", priority: "urgent" });
  expect(output.effects).toMatchObject([
    { key: "mail:toy:notify:1:waiting", effect: { kind: "notify", severity: "urgent" } },
  ]);
  expect(mailDeadline(box)).toBeUndefined();
});

test("an answer goes to who wrote, in the same thread", () => {
  const first = send(undefined, { from: "dev-4", to: "operator" }).box;
  const { to: _to, ...answer } = { to: "", replyTo: "1", from: "operator", subject: "Re: s" };
  const { box } = stepped(first, {
    kind: "mail-sent",
    at: 20,
    project,
    letter: { ...answer, body: "yes", priority: "normal" },
  });
  expect(box.letters[1]).toMatchObject({ id: "2", thread: "1", to: "dev-4" });
});

test.each([
  [{ to: "mallory" }, "is not an address"],
  [{ replyTo: "9" }, "there is no letter 9"],
])("%j is refused, and its writer is told why", (letter, why) => {
  const { box, output } = send(undefined, letter);
  expect(box.letters).toEqual([]);
  expect(output.tells).toMatchObject([
    { to: "run:toy/4.1", event: { kind: "mail-refused", problem: expect.stringContaining(why) } },
  ]);
});

test("a full mailbox refuses, and forgets nothing", () => {
  let { box } = send(undefined, {});
  for (let count = 0; count < 600; count += 1) ({ box } = send(box, {}));
  expect(box.letters).toHaveLength(500);
});

test("of Pawl's own a full mailbox takes more, and what it cannot take goes to the operator whole", () => {
  let { box } = send(undefined, {});
  for (let count = 0; count < 600; count += 1) ({ box } = send(box, {}));
  const letter = { from: "operator", to: "dev-4", subject: "gate g1 is closed", body: "by ann" };
  const own = {
    kind: "mail-sent",
    at: 11,
    project,
    letter: { ...letter, priority: "normal" },
  } as const;
  for (let count = 0; count < 500; count += 1) ({ box } = stepped(box, own));
  expect(box.letters).toHaveLength(1000);
  const first = stepped(box, own);
  expect(first.output.effects).toMatchObject([
    {
      key: "mail:toy:refused:1",
      effect: { kind: "notify", title: expect.stringContaining("gate g1 is closed") },
    },
  ]);
  const second = stepped(first.box, own);
  expect(second.output.effects).toMatchObject([{ key: "mail:toy:refused:2" }]);
  expect(second.box.letters).toEqual(box.letters);
  // A person who writes was told by the command.
  const person = stepped(box, { ...own, letter: { ...own.letter, by: "ann" } });
  expect([person.box, person.output.effects]).toEqual([box, []]);
});

test("the same request twice makes one letter", () => {
  const { box } = send(undefined, { key: "k" });
  expect(send(box, { key: "k" }).box).toBe(box);
});

test("who begins to work gets what waits for its identity and its role, once", () => {
  const two = send(send(undefined, {}).box, { to: "dev" }).box;
  const three = send(two, { to: "dev-5" }).box;
  const event = { kind: "worker-started", at: 30, run, identity: "dev-4", role: "dev" } as const;
  const { output, box } = stepped(three, event);
  expect(output.tells.map(({ event: told }) => "letter" in told && told.letter)).toMatchObject([
    { id: "1" },
    { id: "2" },
  ]);
  const taken = stepped(box, { kind: "mail-handed", at: 31, id: "1", run }).box;
  expect(taken.letters[0]?.state).toEqual({ kind: "handed", run });
  expect(stepped(taken, event).output.tells).toEqual([]);
});

test("of several agents that begin in the same commit, the first gets a letter to their role", () => {
  const { box } = send(undefined, { to: "dev" });
  const event = { kind: "worker-started", at: 30, run, identity: "dev-4", role: "dev" } as const;
  const first = stepped(box, event);
  expect(first.output.tells).toHaveLength(1);
  const other = { ...event, run: runId("5.1"), identity: "dev-5" };
  expect(stepped(first.box, other).output.tells).toEqual([]);
  // Its run ended before the agent read it.
  const back = stepped(first.box, { kind: "mail-returned", at: 31, id: "1", run }).box;
  expect(stepped(back, other).output.tells).toHaveLength(1);
});

test("a letter whose run ends unread waits again; one that was read does not", () => {
  const handed = stepped(send(undefined, {}).box, {
    kind: "mail-handed",
    at: 11,
    id: "1",
    run,
  }).box;
  const back = stepped(handed, { kind: "mail-returned", at: 12, id: "1", run });
  expect(back.box.letters[0]?.state).toMatchObject({ kind: "waiting" });
  expect(back.output.tells).toHaveLength(1);
  const acked = stepped(handed, { kind: "mail-acknowledged", at: 12, id: "1", by: "dev-4" }).box;
  const late = stepped(acked, { kind: "mail-returned", at: 13, id: "1", run });
  expect(late.box).toBe(acked);
  expect(late.output.tells).toEqual([]);
});

test("a letter that is not collected becomes a dead letter in time, and the operator is told", () => {
  const { box } = send(undefined, { to: "dev-99" });
  const until = 10 + 72 * HOUR_MS;
  expect(mailDeadline(box)).toBe(until);
  expect(stepped(box, { kind: "deadline-passed", at: until - 1 }).box).toBe(box);
  const moved = stepped(box, { kind: "clock-jumped", at: 20, gapMs: HOUR_MS }).box;
  expect(stepped(moved, { kind: "deadline-passed", at: until }).box).toBe(moved);
  const dead = stepped(box, { kind: "deadline-passed", at: until });
  expect(dead.box.letters[0]?.state).toMatchObject({ kind: "dead" });
  expect(dead.output.effects).toMatchObject([{ key: "mail:toy:notify:1:dead" }]);
});

test("a letter to a gate closes it at once", () => {
  const { box, output } = send(undefined, { from: "dev-4", to: "gate:release.1.ask" });
  expect(box.letters[0]?.state).toMatchObject({ kind: "acknowledged", by: "gate:release.1.ask" });
  expect(output.tells).toMatchObject([
    { to: "gate:toy/release.1.ask", event: { kind: "gate-told", by: "dev-4", met: true } },
  ]);
});
