import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { PROVEN } from "../../../test/support/proven.ts";
import { PROJECT, tellKinds } from "../../../test/support/run.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { runId } from "../ids.ts";
import type { Project } from "./project.ts";
import { standstill } from "./standstill.ts";
import { projectDeadline, stepProject } from "./step-project.ts";

const upstream = { kind: "local", path: "/toy" } as const;
const registered = {
  kind: "project-registered",
  at: 0,
  name: PROJECT,
  root: "/toy",
  upstream,
} as const;
const configured = (setup: string): Event => {
  const config = testConfig();
  const workspace = { ...config.workspace, setup, timeoutMs: 1000 };
  return {
    kind: "project-configured",
    at: 0,
    config: { ...config, parallel: 2, workspace },
    source: "t",
  };
};
const issue = (number: number) => ({
  number,
  title: `Issue ${number}`,
  labels: ["backlog"],
  createdAt: number,
  unmet: [],
});
const observed: Event = { kind: "issues-observed", at: 0, issues: [1, 2, 3].map(issue) };
const failed = (run: string, at = 5, why = "`npn ci`: exit code 127"): Event => ({
  kind: "set-up-failed",
  at,
  run: runId(run),
  failure: { why, logTail: "npn: not found" },
});
const passed = (run: string): Event => ({ kind: "set-up-passed", at: 9, run: runId(run) });
const due = (at: number): Event => ({ kind: "deadline-passed", at });
const ended = (run: string): Event => ({
  kind: "run-ended",
  at: 6,
  run: runId(run),
  outcome: { kind: "closed", why: "closed" },
  epoch: 0,
});
const BEGUN = [configured("npn ci"), PROVEN, observed];

function after(...events: Event[]): { project: Project; output: Output } {
  let project: Project | undefined;
  let output = emptyOutput();
  for (const event of [registered, ...events]) {
    output = emptyOutput();
    project = stepProject(project, event, output);
  }
  return { project: project!, output };
}

const runs = ({ project }: { project: Project }): string[] => project.active.map(({ run }) => run);
const toldRuns = ({ output }: { output: Output }): string[] =>
  output.tells.flatMap(({ to, event }) => (event.kind === "set-up-wanted" ? [to] : []));

test("set-up that fails is told to a person once, with its output, and starts no other run", () => {
  const first = after(...BEGUN, failed("1.1"));
  expect(first.output.effects).toMatchObject([
    { effect: { kind: "notify", severity: "urgent", body: expect.stringContaining("not found") } },
  ]);
  expect(standstill(first.project)).toContain("set-up fails in a new workspace: `npn ci`");
  const both = after(...BEGUN, failed("1.1"), failed("2.1"));
  expect(both.output.effects).toEqual([]);
  expect(runs(after(...BEGUN, failed("1.1"), failed("2.1"), ended("2.1")))).toEqual(["1.1"]);
});

test("it is tried again after pauses that grow", () => {
  const { project } = after(...BEGUN, failed("1.1", 5));
  expect(projectDeadline(project)).toBe(30_005);
  const again = after(...BEGUN, failed("1.1", 5), failed("2.1", 5), due(30_005));
  expect(toldRuns(again)).toEqual(["run:toy/1.1", "run:toy/2.1"]);
  const twice = after(...BEGUN, failed("1.1", 5), due(30_005), failed("1.1", 30_010));
  expect(projectDeadline(twice.project)).toBe(30_010 + 60_000);
  expect(twice.output.effects).toEqual([]);
});

test("a run that clones for longer than set-up may take keeps the question open, and asks no new one", () => {
  const trying = [...BEGUN, failed("1.1", 5), due(30_005)];
  const longMs = 20 * 60_000;
  const slow = after(...trying, due(30_005 + longMs));
  expect(standstill(slow.project)).toContain("set-up fails in a new workspace");
  expect(runs(slow)).toEqual(["1.1", "2.1"]);
  const again = after(...trying, due(30_005 + longMs), failed("1.1", 31_005 + longMs));
  expect(again.output.effects).toEqual([]);
  expect(projectDeadline(again.project)).toBe(31_005 + longMs + 60_000);
});

test("a run that says nothing for hours, or that ends, keeps no other from trying", () => {
  const trying = [...BEGUN, failed("1.1", 5), ended("2.1"), due(30_005)];
  expect(standstill(after(...trying, due(30_005 + 3 * 3_600_000)).project)).toBeUndefined();
  const gone = after(...trying, { ...ended("1.1"), at: 40_000 } as Event);
  expect(projectDeadline(gone.project)).toBe(40_000 + 60_000);
  expect(runs(after(...trying, { ...ended("1.1"), at: 40_000 } as Event, due(100_000)))).toContain(
    "3.1",
  );
});

test("other settings, a person and a new daemon have it tried again at once", () => {
  const broken = [...BEGUN, failed("1.1"), failed("2.1")];
  const words: Event[] = [
    configured("npm ci"),
    { kind: "set-up-answered", at: 7, by: "ann" },
    { kind: "daemon-started", at: 7 },
  ];
  for (const word of words) {
    expect(toldRuns(after(...broken, word))).toEqual(["run:toy/1.1", "run:toy/2.1"]);
    expect(toldRuns(after(...broken, word, word))).toEqual([]);
  }
  expect(toldRuns(after(...broken, configured("npn ci")))).toEqual([]);
});

test("what works for one run ends the question, and the others are told", () => {
  const fixed = after(...BEGUN, failed("1.1"), failed("2.1"), passed("1.1"));
  expect(toldRuns(fixed)).toEqual(["run:toy/2.1"]);
  expect(standstill(fixed.project)).toBeUndefined();
});

test("where no run is left that could try, the next one does", () => {
  const alone = [...BEGUN, failed("1.1"), ended("1.1")];
  expect(runs(after(...alone))).toEqual(["2.1"]);
  expect(runs(after(...alone, due(30_005)))).toEqual(["2.1", "3.1"]);
});

test("another failure is told again", () => {
  const other = after(...BEGUN, failed("1.1"), failed("1.1", 6, "`npm ci`: exit code 1"));
  expect(other.output.effects).toMatchObject([{ effect: { kind: "notify" } }]);
  expect(tellKinds(other.output)).toEqual([]);
});
