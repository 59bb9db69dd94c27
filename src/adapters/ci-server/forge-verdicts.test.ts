import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import type { Status } from "../../ports/forge.ts";
import { createForgeVerdicts, verdictOf } from "./forge-verdicts.ts";

const COMMIT = commitId("a".repeat(40));

const status = (context: string, state: Status["state"]): Status => ({
  context,
  state,
  description: `${context} says ${state}`,
  url: `https://ci.example.org/${context}`,
});

test("a required context that is missing is waited for even if every other context is green", () => {
  expect(verdictOf([status("lint", "success")], ["lint", "test"])).toEqual({
    kind: "pending",
    waitsFor: ["test"],
  });
  expect(verdictOf([status("other", "success")], ["test"])).toEqual({ kind: "missing" });
});

test("only required contexts count, where some are", () => {
  const all = [status("test", "success"), status("coverage", "failure")];
  expect(verdictOf(all, ["test"])).toMatchObject({ kind: "passed", results: [{ gate: "test" }] });
});

test("a required pattern is waited for until something fulfils it, and then all of it counts", () => {
  expect(verdictOf([status("lint", "success")], ["lint", "ci/*"])).toMatchObject({
    waitsFor: ["ci/*"],
  });
  const both = [status("ci/a", "success"), status("ci/b", "failure")];
  expect(verdictOf(both, ["ci/*"])).toMatchObject({ kind: "failed" });
});

test("without required contexts nothing passes, and the line to write is told", async () => {
  const forge = { statuses: async () => [status("lint", "success"), status("pawl/ci", "success")] };
  const of = createForgeVerdicts({ forge, target: "main", contexts: [], now: () => 0 });
  await expect(of.verdict(COMMIT, true)).rejects.toMatchObject({
    code: "config-missing",
    retryable: false,
    message: expect.stringContaining('contexts = ["lint"]'),
  });
});

test("nothing passes while anything of the commit is queued or runs, required or not", async () => {
  const pending = [status("a", "success"), status("b", "pending"), status("pawl/ci", "pending")];
  expect(verdictOf(pending, ["a"])).toEqual({ kind: "pending", waitsFor: ["b"] });
  const running = ["the check suite of github-actions (queued)"];
  const forge = { statuses: async () => [status("a", "success")], running: async () => running };
  const of = createForgeVerdicts({ forge, target: "main", contexts: ["a"], now: () => 0 });
  expect(await of.verdict(COMMIT, true)).toEqual({ kind: "pending", waitsFor: running });
  running.pop();
  expect(await of.verdict(COMMIT, true)).toMatchObject({ kind: "passed" });
});

test("a failure is told at once, with what the forge says of it", () => {
  const all = [status("a", "pending"), status("b", "failure")];
  expect(verdictOf(all, ["a", "b"])).toMatchObject({
    kind: "failed",
    infra: undefined,
    results: [
      { gate: "a", passed: true },
      {
        gate: "b",
        passed: false,
        exitCode: null,
        reason: "failure",
        logTail: "b says failure\nhttps://ci.example.org/b",
      },
    ],
  });
});

test("a checker that could not run is a failure of the CI infrastructure", () => {
  expect(verdictOf([status("a", "error")], ["a"])).toMatchObject({
    infra: { message: "a could not run: a says error" },
  });
});

test("protection is asked only where pawl.toml names no contexts, and not each time", async () => {
  let [asked, now] = [0, 0];
  const forge = {
    statuses: async () => [status("a", "success")],
    requiredContexts: async () => {
      asked += 1;
      return ["a", "b"];
    },
  };
  const of = (contexts: string[]) =>
    createForgeVerdicts({ forge, target: "main", contexts, now: () => now });
  expect((await of(["a"]).verdict(COMMIT, true)).kind).toBe("passed");
  expect(asked).toBe(0);
  const verdicts = of([]);
  await verdicts.verdict(COMMIT, true);
  expect((await verdicts.verdict(COMMIT, true)).kind).toBe("pending");
  expect(asked).toBe(1);
  now = 3_600_000;
  await verdicts.verdict(COMMIT, true);
  expect(asked).toBe(2);
});
