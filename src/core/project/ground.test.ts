import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { PROVEN } from "../../../test/support/proven.ts";
import { PROJECT, tellKinds } from "../../../test/support/run.ts";
import type { ServerCiConfig } from "../config.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import type { Project } from "./project.ts";
import { standstill } from "./standstill.ts";
import { stepProject } from "./step-project.ts";

const upstream = { kind: "local", path: "/toy" } as const;
const registered = {
  kind: "project-registered",
  at: 0,
  name: PROJECT,
  root: "/toy",
  upstream,
} as const;
const configured = (command = "sh test.sh"): Event => {
  const { ci, ...config } = testConfig();
  const gates = [{ name: "test", command, timeoutMs: 1000 }];
  return {
    kind: "project-configured",
    at: 0,
    config: { ...config, ci: { ...ci, gates } },
    source: "t",
  };
};
const observed: Event = {
  kind: "issues-observed",
  at: 0,
  issues: [{ number: 1, title: "One", labels: ["backlog"], createdAt: 1, unmet: [] }],
};
const failed = (why = "`npn test`: command not found, exit code 127"): Event => ({
  kind: "target-failed",
  at: 5,
  failure: { commit: undefined, kind: "red", why, logTail: "sh: npn: not found", logFile: "/log" },
});
const moved: Event = { kind: "target-unproven", at: 6 };
const said = (answer: "check" | "start"): Event => {
  return { kind: "target-answered", at: 7, by: "ann", answer };
};

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

test("no agent starts before the gate is known to pass on the target, which is asked once", () => {
  const asked = after(configured(), observed);
  expect([runs(asked), tellKinds(asked.output)]).toEqual([[], ["proof-wanted"]]);
  expect(tellKinds(after(configured(), observed, observed).output)).toEqual([]);
  expect(runs(after(configured(), observed, PROVEN))).toEqual(["1.1"]);
});

test("nothing is asked where there is nothing to start, or no gate", () => {
  expect(after(configured()).project.proof).toBeUndefined();
  const { ci, ...config } = testConfig();
  const none: Event = {
    kind: "project-configured",
    at: 0,
    config: { ...config, ci: { ...ci, gates: [], none: true } },
    source: "t",
  };
  expect(runs(after(none, observed))).toEqual(["1.1"]);
});

test("a gate that fails on the target starts no agent and tells a person once, with its output", () => {
  const red = after(configured(), observed, failed());
  expect(runs(red)).toEqual([]);
  expect(standstill(red.project)).toBe(
    "the gate fails on main: `npn test`: command not found, exit code 127",
  );
  expect(red.output.effects.map(({ effect }) => effect)).toMatchObject([
    { kind: "notify", severity: "urgent", body: expect.stringContaining("sh: npn: not found") },
  ]);
  expect(after(configured(), observed, failed(), failed()).output.effects).toEqual([]);
});

test("a red target that moves is asked again, and a green one ends the question by itself", () => {
  const again = after(configured(), observed, failed(), moved);
  expect(tellKinds(again.output)).toEqual(["proof-wanted"]);
  expect(again.project.proof?.kind).toBe("failed");
  expect(runs(after(configured(), observed, failed(), moved, PROVEN))).toEqual(["1.1"]);
});

test("a green target that moves is asked again before the next agent starts", () => {
  const { project, output } = after(configured(), PROVEN, moved, observed);
  expect(project.active).toEqual([]);
  expect(tellKinds(output)).toEqual(["proof-wanted"]);
});

test("another gate is proven again", () => {
  const changed = after(configured("npn test"), observed, failed(), configured("npm test"));
  expect(changed.output.tells.map(({ event }) => event)).toMatchObject([
    { kind: "proof-wanted", look: true },
  ]);
  expect(runs(changed)).toEqual([]);
});

test("a person has the gate run again, or agents start all the same", () => {
  const checked = after(configured(), observed, failed(), said("check"));
  expect(checked.output.tells.map(({ event }) => event)).toMatchObject([
    { kind: "proof-wanted", look: true, fresh: true },
  ]);
  const waived = after(configured(), observed, failed(), said("start"));
  expect(runs(waived)).toEqual(["1.1"]);
  expect(after(configured(), observed, failed(), said("start"), failed()).project.proof?.kind).toBe(
    "waived",
  );
});

test("agents go on starting on a target that moved and fails as before, until it fails in another way", () => {
  const waived = [configured(), failed(), said("start"), moved];
  expect(tellKinds(after(...waived).output)).toEqual(["proof-wanted"]);
  const same = after(...waived, failed(), observed);
  expect(runs(same)).toEqual(["1.1"]);
  expect(after(...waived, failed()).output.effects).toEqual([]);
  expect(after(...waived, PROVEN).project.proof?.kind).toBe("green");
  const other = after(...waived, failed("`npn lint`: exit code 1"));
  expect(other.output.effects).toMatchObject([{ effect: { kind: "notify" } }]);
  expect(runs(after(...waived, failed("`npn lint`: exit code 1"), observed))).toEqual([]);
});

test("a gate that cannot run is not said to fail", () => {
  const broken: Event = {
    kind: "target-failed",
    at: 5,
    failure: {
      commit: undefined,
      kind: "broken",
      why: "cannot fetch main",
      logTail: "",
      logFile: undefined,
    },
  };
  const { project, output } = after(configured(), observed, broken);
  expect(standstill(project)).toBe("the gate cannot run on main: cannot fetch main");
  expect(output.effects).toMatchObject([
    { effect: { title: `no agent starts in ${PROJECT}: the gate cannot run on main` } },
  ]);
});

const SERVER: ServerCiConfig = { kind: "forge", contexts: ["test"], timeoutMs: 1000, pollMs: 10 };
/** Only a CI server judges. */
const byServer = (): Event => {
  const { ci, ...config } = testConfig();
  const server = { ...ci, gates: [], server: SERVER };
  return { kind: "project-configured", at: 0, config: { ...config, ci: server }, source: "t" };
};
const open = (at: number): Event => ({ kind: "target-open", at, why: "nothing ran" });
const again = (at: number, number: number): Event => ({
  kind: "issues-observed",
  at,
  issues: [{ number, title: "Two", labels: ["backlog"], createdAt: 1, unmet: [] }],
});

test("where only a CI server judges, no agent starts before its verdict on the target was looked at", () => {
  const asked = after(byServer(), observed);
  expect([runs(asked), tellKinds(asked.output)]).toEqual([[], ["proof-wanted"]]);
  expect(runs(after(byServer(), observed, PROVEN))).toEqual(["1.1"]);
  expect(runs(after(byServer(), observed, failed()))).toEqual([]);
});

test("without a verdict agents start, and before later ones the server is asked again", () => {
  expect(runs(after(byServer(), observed, open(5)))).toEqual(["1.1"]);
  expect(runs(after(byServer(), observed, open(5), again(6, 2)))).toEqual(["1.1", "2.1"]);
  const later = after(byServer(), observed, open(5), again(100_000, 2));
  expect([runs(later), tellKinds(later.output)]).toEqual([["1.1"], ["proof-wanted"]]);
});

test("a server without a verdict ends the question, and does not take back that agents may start", () => {
  const ended = after(byServer(), observed, failed(), open(6));
  expect([runs(ended), standstill(ended.project)]).toEqual([["1.1"], undefined]);
  const waived = after(byServer(), observed, failed(), said("start"), open(8), failed());
  expect(standstill(waived.project)).toBeUndefined();
  expect(waived.output.effects).toEqual([]);
});

test("a daemon that starts has a red CI server asked again, and a red gate not", () => {
  const started: Event = { kind: "daemon-started", at: 9 };
  const told = (...events: Event[]): string[] => tellKinds(after(...events, started).output);
  expect(told(byServer(), observed, failed())).toEqual(["proof-wanted"]);
  expect(told(byServer(), observed, PROVEN)).toEqual([]);
  expect(told(configured(), observed, failed())).toEqual([]);
});
