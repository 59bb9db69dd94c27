// How often a forge is asked, and what is found that nobody told of.
import { expect, test } from "vitest";
import { createFakeClock } from "../../test/support/clock.ts";
import { testConfig } from "../../test/support/config.ts";
import { commitId, projectName } from "../core/ids.ts";
import type { Issue } from "../core/issue.ts";
import { createObserve, type ObserveDeps } from "./observe.ts";

const TOY = projectName("toy");
const HOUR_MS = 3_600_000;
const TARGET = commitId("a".repeat(40));

function world(active: number) {
  const clock = createFakeClock();
  const asked = { issues: 0, target: 0 };
  const issues: Issue[] = [];
  const config = {
    ...testConfig(),
    forge: { kind: "gitea", url: "https://x", owner: "o", repo: "r" } as const,
  };
  const project = {
    kind: "project",
    name: TOY,
    config,
    configProblem: undefined,
    observedAt: 0,
    backlog: [],
    active: Array.from({ length: active }, (_, index) => ({ run: `${index}`, issue: undefined })),
  };
  const own = {
    git: { fetchTarget: async () => (asked.target++, TARGET) },
    forge: { issues: async () => (asked.issues++, issues) },
  };
  const observe = createObserve({
    store: {
      aggregates: async () => [{ id: "project:toy", state: project }],
      load: async (id: string) => (id === "project:toy" ? { state: project } : undefined),
    },
    ports: { project: async () => own },
    loop: { submit: async () => true },
    clock,
    readConfig: async () => ({ kind: "valid", config, source: "target" }),
    scope: () => true,
    onError: (error: unknown) => {
      throw error;
    },
  } as unknown as ObserveDeps);
  return { observe, clock, asked, issues };
}

const newIssue = (number: number): Issue => ({
  number,
  title: "t",
  body: "",
  state: "open",
  labels: ["backlog"],
  author: "ann",
  createdAt: 0,
  updatedAt: 0,
  url: undefined,
});

test("an idle project that is polled costs less than 60 requests an hour", async () => {
  const { clock, asked } = world(0);
  await clock.pass(HOUR_MS);
  // A look at the target is two requests of git.
  expect(asked.issues + 2 * asked.target).toBeLessThan(60);
  expect(asked.issues).toBeGreaterThan(20);
});

test("one whose forge tells by itself is looked at once an hour, or every ten minutes at work", async () => {
  const idle = world(0);
  idle.observe.hearing.listens(TOY, 0);
  await idle.clock.pass(6 * HOUR_MS);
  expect(idle.asked.issues).toBeLessThanOrEqual(6);
  const busy = world(1);
  busy.observe.hearing.listens(TOY, 0);
  await busy.clock.pass(HOUR_MS);
  expect(busy.asked.issues).toBeLessThanOrEqual(6);
});

test("a delivery has the forge looked at once, and only a push the target", async () => {
  const { observe, clock, asked } = world(0);
  observe.hearing.listens(TOY, undefined);
  observe.heard(TOY, "issues");
  await clock.pass(1);
  expect(asked).toEqual({ issues: 1, target: 0 });
  observe.heard(TOY, "checks");
  await clock.pass(1);
  expect(asked.issues).toBe(1);
  observe.heard(TOY, "target");
  await clock.pass(1);
  expect(asked).toEqual({ issues: 2, target: 1 });
});

test("what was not told is found all the same, and has the forge asked often again", async () => {
  const { observe, clock, asked, issues } = world(0);
  observe.hearing.listens(TOY, 0);
  issues.push(newIssue(1));
  await clock.pass(HOUR_MS + 60_000);
  expect(observe.hearing.source(TOY)).toMatchObject({ kind: "polling" });
  const before = asked.issues;
  await clock.pass(HOUR_MS);
  expect(asked.issues - before).toBeGreaterThan(20);
  observe.heard(TOY, "issues");
  expect(observe.hearing.source(TOY)).toMatchObject({ kind: "webhook" });
});
