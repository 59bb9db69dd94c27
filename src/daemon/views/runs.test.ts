import { expect, test } from "vitest";
import { escalated, HEAD, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import type { Run } from "../../core/run/run.ts";
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

test("an agent is alive when its process was started, and not before", () => {
  const context = { paths: pathsOf("/home", "/run"), now: 1 };
  const aliveAs = (status: "spawning" | "live"): boolean => {
    const started = status === "live" ? {} : { process: undefined };
    return runView(testRun({ session: testSession({ status, ...started }) }), context).alive;
  };
  expect([aliveAs("spawning"), aliveAs("live")]).toEqual([false, true]);
});
