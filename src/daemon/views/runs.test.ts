import { expect, test } from "vitest";
import { escalated, HEAD, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import type { Run } from "../../core/run/run.ts";
import type { Session } from "../../core/session/session.ts";
import { answer, goOn } from "../../core/words/messages.ts";
import { pathsOf } from "../host/paths.ts";
import { runView, waitsOfRuns } from "./runs.ts";

const failed = {
  head: HEAD,
  outcome: { kind: "failed", results: [{ gate: "test", passed: false }] },
} as unknown as Run["check"];

test.each<[string, Partial<Run>, string]>([
  ["nothing else", {}, "Which colour?"],
  [
    "who stopped the run, and that an answer resumes it",
    { stopped: { by: "ann", at: 1 } },
    "Which colour? (stopped by ann; an answer resumes it)",
  ],
  ["that CI failed before", { check: failed }, "Which colour? (CI last failed at test)"],
  [
    "nothing twice",
    { check: failed, stage: escalated("CI failed 3 times at test") },
    "CI failed 3 times at test",
  ],
])("what an agent asks is shown with %s", async (_, change, why) => {
  const run = testRun({ stage: escalated("Which colour?"), ...change });
  expect(await waitsOfRuns([run], undefined)).toMatchObject([{ why, question: true }]);
});

test("what `pawl retry` tells an agent is no answer to a question", () => {
  const messages = [
    testMessage({ kind: "answer", text: goOn(), resumes: true }),
    testMessage({ kind: "answer", text: answer("ann", "green") }),
  ];
  const view = runView(testRun({ messages }), { paths: pathsOf("/home", "/run"), now: 1 });
  expect(view.messages.map(({ resumes }) => resumes)).toEqual([true, undefined]);
});

test("an agent is starting until its process was started, and alive from then on", () => {
  const context = { paths: pathsOf("/home", "/run"), now: 1 };
  const viewOf = (session: Session | undefined) => {
    const { alive, starting } = runView(testRun({ session }), context);
    return { alive, starting };
  };
  const none = { process: undefined };
  expect(viewOf(testSession({ status: "spawning", ...none }))).toEqual({
    alive: false,
    starting: true,
  });
  expect(viewOf(testSession({ status: "live" }))).toEqual({ alive: true });
  expect(viewOf(testSession({ status: "ended", ...none }))).toEqual({ alive: false });
  expect(viewOf(undefined)).toEqual({ alive: false });
});
