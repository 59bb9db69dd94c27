import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import type { Status } from "../../ports/forge.ts";
import { createForgeVerdicts, verdictOf } from "./forge-verdicts.ts";

const status = (context: string, state: Status["state"]): Status => ({
  context,
  state,
  description: `${context} says ${state}`,
  url: `https://ci.example.org/${context}`,
});

test("a required context that is missing is waited for, whatever else is green", () => {
  expect(verdictOf([status("lint", "success")], ["lint", "test"])).toEqual({
    kind: "pending",
    waitsFor: ["test"],
  });
  expect(verdictOf([status("other", "success")], ["test"])).toEqual({ kind: "missing" });
});

test("only required contexts count, where some are", () => {
  const all = [status("test", "success"), status("coverage", "failure")];
  expect(verdictOf(all, ["test"])).toMatchObject({ kind: "passed", results: [{ gate: "test" }] });
  expect(verdictOf(all, [])).toMatchObject({ kind: "failed" });
});

test("a required pattern is waited for until something fulfils it, and then all of it counts", () => {
  expect(verdictOf([status("lint", "success")], ["lint", "ci/*"])).toMatchObject({
    waitsFor: ["ci/*"],
  });
  const both = [status("ci/a", "success"), status("ci/b", "failure")];
  expect(verdictOf(both, ["ci/*"])).toMatchObject({ kind: "failed" });
});

test("without required contexts all must be green, and what Pawl says itself is no verdict", () => {
  expect(verdictOf([], [])).toEqual({ kind: "missing" });
  expect(verdictOf([status("pawl/ci", "success")], [])).toEqual({ kind: "missing" });
  const pending = [status("a", "success"), status("b", "pending")];
  expect(verdictOf(pending, [])).toEqual({ kind: "pending", waitsFor: ["b"] });
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

test("a checker that could not do its work is the machinery's failure", () => {
  expect(verdictOf([status("a", "error")], [])).toMatchObject({
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
  const commit = commitId("a".repeat(40));
  const of = (contexts: string[]) =>
    createForgeVerdicts({ forge, target: "main", contexts, now: () => now });
  expect((await of(["a"]).verdict(commit)).kind).toBe("passed");
  expect(asked).toBe(0);
  const verdicts = of([]);
  await verdicts.verdict(commit);
  expect((await verdicts.verdict(commit)).kind).toBe("pending");
  expect(asked).toBe(1);
  now = 3_600_000;
  await verdicts.verdict(commit);
  expect(asked).toBe(2);
});
