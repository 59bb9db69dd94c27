import { expect, test } from "vitest";
import { emptyOutput } from "../effect.ts";
import { projectName } from "../ids.ts";
import { checkInbox, reactionTo } from "./inbox.ts";
import { newPatrol } from "./patrol.ts";

test.each([
  ["WITNESS_PING", { kind: "ping" }],
  ["WITNESS_PING: no daemon for 70 s", { kind: "ping" }],
  ["HELP: stuck in a loop", { kind: "help" }],
  ["LIFECYCLE:Shutdown dev-4", { kind: "lifecycle" }],
  ["TRIGGER: nightly", { kind: "trigger", name: "nightly" }],
  ["TRIGGER: a b", { kind: "unknown" }],
  ["Hello", { kind: "unknown" }],
])("%s is %o", (subject, reaction) => {
  expect(reactionTo(subject)).toEqual(reaction);
});

const letter = (subject: string, priority: "low" | "normal" = "normal") => ({
  id: "5",
  from: "dev-4",
  subject,
  body: "text",
  priority,
});

function checked(subject: string) {
  const output = emptyOutput();
  const patrol = newPatrol(projectName("toy"), "deacon");
  return { patrol: checkInbox(patrol, { inbox: [letter(subject)] }, { at: 7, output }), output };
}

test("every letter is acknowledged in the same transaction as what follows from it", () => {
  for (const subject of ["WITNESS_PING", "HELP", "LIFECYCLE: done", "TRIGGER: x", "What?"]) {
    const { output, patrol } = checked(subject);
    expect(output.tells[0]).toMatchObject({
      to: "mail:toy",
      event: { kind: "mail-acknowledged", id: "5", by: "deacon" },
    });
    expect(patrol.notes["inbox-check"]?.text).toContain(subject);
  }
});

test("a ping needs no answer, a call for help and what is not known go on to the operator", () => {
  expect(checked("WITNESS_PING").output.tells).toHaveLength(1);
  expect(checked("HELP: me").output.tells[1]).toMatchObject({
    event: {
      kind: "mail-sent",
      // Seen by two rounds, it is forwarded once.
      letter: { to: "operator", priority: "high", key: "patrol:toy/deacon:forward:5" },
    },
  });
  expect(checked("What?").output.tells[1]).toMatchObject({
    event: { kind: "mail-sent", letter: { to: "operator", priority: "normal" } },
  });
});

test("news of a life lead to a look outside, one for many", () => {
  expect(checked("LIFECYCLE: done").output.effects).toMatchObject([
    { key: "patrol:toy/deacon:look", effect: { kind: "look-outside" } },
  ]);
});
