import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { onGreenTarget } from "../../../test/support/proven.ts";
import { PROJECT, tellKinds } from "../../../test/support/run.ts";
import type { Budget } from "../budget.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { deadlineOf } from "../step.ts";
import type { Project } from "./project.ts";
import { standstill } from "./standstill.ts";
import { stepProject } from "./step-project.ts";

const DAY_MS = 86_400_000;
const upstream = { kind: "local", path: "/toy" } as const;
const registered: Event = {
  kind: "project-registered",
  at: 0,
  name: PROJECT,
  root: "/toy",
  upstream,
};
const configured = (budget: Budget, at = 0): Event => ({
  kind: "project-configured",
  at,
  config: { ...testConfig(), parallel: 2, budget },
  source: "pawl.toml",
});
const observed = (...numbers: number[]): Event => ({
  kind: "issues-observed",
  at: 0,
  issues: numbers.map((number) => {
    return { number, title: `Issue ${number}`, labels: ["backlog"], createdAt: number, unmet: [] };
  }),
});
const spent = (tokens: number, at = 0, role = "dev"): Event => ({
  kind: "usage-spent",
  at,
  role,
  tokens,
  usd: 0,
});
const midnight = (at = DAY_MS): Event => ({ kind: "deadline-passed", at });

function after(...events: Event[]): { project: Project; output: Output } {
  let project: Project | undefined;
  let output = emptyOutput();
  for (const event of onGreenTarget(events)) {
    output = emptyOutput();
    project = stepProject(project, event, output);
  }
  return { project: project!, output };
}

const CLOSED = [
  registered,
  configured({ day: { tokens: 100 } }),
  observed(1),
  spent(60),
  spent(40),
];

test("a spent day starts no agent, says so, and tells the runs under way", () => {
  const { project, output } = after(...CLOSED);
  expect(tellKinds(output)).toEqual(["budget-closed"]);
  expect(standstill(project)).toBe(
    "budget: day spent 100 of 100 tokens, until 1970-01-02T00:00:00.000Z",
  );
  expect(deadlineOf(project)).toBe(DAY_MS);
  expect(after(...CLOSED, observed(1, 2)).project.active).toHaveLength(1);
  expect(after(...CLOSED, spent(5)).output.tells).toEqual([]);
});

test("a spent day is brought to who does not look, once", () => {
  const news = (output: Output) => output.effects.map(({ effect }) => effect);
  expect(news(after(...CLOSED).output)).toEqual([
    {
      kind: "notify",
      severity: "warning",
      title: `the budget of ${PROJECT} is spent`,
      body: expect.stringContaining(
        "day spent 100 of 100 tokens; no agent starts before 1970-01-02",
      ),
    },
  ]);
  expect(news(after(...CLOSED, spent(5)).output)).toEqual([]);
});

test("the next UTC day everybody goes on, and nothing is spent of it yet", () => {
  const early = after(...CLOSED, observed(1, 2), midnight(DAY_MS - 1));
  expect(early.project.active).toHaveLength(1);
  const { project, output } = after(...CLOSED, observed(1, 2), midnight());
  expect(tellKinds(output)).toEqual(["budget-opened", "run-requested", "worker-started"]);
  expect([standstill(project), deadlineOf(project)]).toEqual([undefined, undefined]);
  const next = after(...CLOSED, midnight(), spent(99, DAY_MS)).project;
  expect([next.spending?.total.tokens, standstill(next)]).toEqual([99, undefined]);
});

test("a larger budget opens it at once, and a smaller one closes it", () => {
  const { project, output } = after(...CLOSED, configured({ day: { tokens: 101 } }, 5));
  expect([project.closed, tellKinds(output)]).toEqual([undefined, ["budget-opened"]]);
  const small = after(registered, configured({}), spent(50), configured({ day: { tokens: 50 } }));
  expect(small.project.closed?.until).toBe(DAY_MS);
});

test("a role's budget counts only what that role has used", () => {
  const role = [registered, configured({ roles: { dev: { tokens: 10 } } })];
  expect(standstill(after(...role, spent(50, 0, "review")).project)).toBeUndefined();
  expect(standstill(after(...role, spent(10)).project)).toContain("role dev spent 10 of 10 tokens");
});

test("a clock that went back does not make the day begin again", () => {
  const { project } = after(registered, configured({}), spent(5, DAY_MS), spent(5, DAY_MS - 1));
  expect(project.spending).toMatchObject({ day: "1970-01-02", total: { tokens: 10 } });
});

test("a day that begins with more than it may use stays closed until its own end", () => {
  const early = spent(100, DAY_MS + 1);
  const { project, output } = after(...CLOSED, early);
  expect(project.closed?.until).toBe(2 * DAY_MS);
  expect(deadlineOf(project)).toBe(2 * DAY_MS);
  expect(output.tells).toMatchObject([{ event: { kind: "budget-closed", until: 2 * DAY_MS } }]);
  const next = after(...CLOSED, early, midnight(2 * DAY_MS)).project;
  expect(next.closed).toBeUndefined();
  expect(deadlineOf(next)).toBeUndefined();
});

test("a person allows as much again of what is spent, counted from then, until the day ends", () => {
  const allowed: Event = { kind: "budget-allowed", at: 5, by: "ann" };
  const opened = after(...CLOSED, observed(1, 2), spent(7), allowed);
  expect(tellKinds(opened.output)).toEqual(["budget-opened", "run-requested", "worker-started"]);
  expect(standstill(opened.project)).toBeUndefined();
  expect(standstill(after(...CLOSED, spent(7), allowed, spent(99)).project)).toBeUndefined();
  const again = after(...CLOSED, spent(7), allowed, spent(100)).project;
  expect(standstill(again)).toContain("day spent 207 of 207 tokens");
  const next = after(...CLOSED, allowed, midnight(), spent(100, DAY_MS)).project;
  expect(standstill(next)).toContain("day spent 100 of 100 tokens");
});

test("allowing more of a role's budget leaves the day's as it is", () => {
  const both = configured({ day: { tokens: 15 }, roles: { dev: { tokens: 10 } } });
  const allowed: Event = { kind: "budget-allowed", at: 5, by: "ann" };
  const project = after(registered, both, spent(10), allowed, spent(5)).project;
  expect(standstill(project)).toContain("day spent 15 of 15 tokens");
});

test("where no budget is spent, allowing more changes nothing", () => {
  const before = after(...CLOSED.slice(0, -1)).project;
  const unchanged = after(...CLOSED.slice(0, -1), { kind: "budget-allowed", at: 5, by: "ann" });
  expect(unchanged.project.spending).toEqual(before.spending);
});
