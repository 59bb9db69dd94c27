import { expect, test } from "vitest";
import { testMessage } from "../../../test/support/run.ts";
import { isActionable, isOpen, messageFile } from "./message.ts";

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
