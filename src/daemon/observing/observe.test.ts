// How often a forge is asked, and which changes are found that no webhook reported.
import { expect, test } from "vitest";
import { createFakeClock } from "../../../test/support/clock.ts";
import { testConfig } from "../../../test/support/config.ts";
import { commitId, projectName } from "../../core/ids.ts";
import type { Issue } from "../../core/issue.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { createObserve, type ObserveDeps } from "./observe.ts";

const TOY = projectName("toy");
const OTHER = projectName("other");
const HOUR_MS = 3_600_000;
const TARGET = commitId("a".repeat(40));

function world(active: number) {
  const clock = createFakeClock();
  const asked = { issues: 0, target: 0, others: 0 };
  let hangs = false;
  let fails = false;
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
  const other = { ...project, name: OTHER };
  const own = {
    git: { fetchTarget: async () => (asked.target++, TARGET), outside: async () => [] },
    forge: {
      issues: async () => {
        asked.issues++;
        if (fails) throw new OperationError("502", { code: "forge" });
        return hangs ? new Promise<Issue[]>(() => undefined) : issues;
      },
    },
  };
  const others = {
    git: { fetchTarget: async () => TARGET, outside: async () => [] },
    forge: { issues: async () => (asked.others++, issues) },
  };
  const states = new Map<string, unknown>([
    ["project:toy", project],
    ["project:other", other],
  ]);
  const observe = createObserve({
    store: {
      aggregates: async () => [...states].map(([id, state]) => ({ id, state })),
      load: async (id: string) => (states.has(id) ? { state: states.get(id) } : undefined),
    },
    ports: { project: async (name: string) => (name === TOY ? own : others) },
    loop: { submit: async () => true },
    clock,
    readConfig: async () => ({ kind: "valid", config, source: "target" }),
    scope: () => true,
    onRecovered: () => undefined,
    onError: (error: unknown) => {
      if (!fails) throw error;
    },
  } as unknown as ObserveDeps);
  const hang = (): void => {
    hangs = true;
  };
  const fail = (now: boolean): void => {
    fails = now;
  };
  return { observe, clock, asked, issues, hang, fail };
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

test("a forge that never answers holds up its own project alone, and is told of", async () => {
  const { observe, clock, asked, hang } = world(1);
  hang();
  await clock.pass(65_000);
  expect(asked.issues).toBe(1);
  expect(asked.others).toBe(2);
  expect(observe.slow(TOY)).toContain("reading it has taken 35 s so far");
  expect(observe.slow(OTHER)).toBeUndefined();
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
  idle.observe.webhooks.listens(TOY, 0);
  await idle.clock.pass(6 * HOUR_MS);
  expect(idle.asked.issues).toBeLessThanOrEqual(6);
  const busy = world(1);
  busy.observe.webhooks.listens(TOY, 0);
  await busy.clock.pass(HOUR_MS);
  expect(busy.asked.issues).toBeLessThanOrEqual(6);
});

test("a delivery has the forge looked at once, and only a push the target", async () => {
  const { observe, clock, asked } = world(0);
  observe.webhooks.listens(TOY, undefined);
  observe.webhookDelivered(TOY, "issues");
  await clock.pass(1);
  expect(asked).toMatchObject({ issues: 1, target: 0 });
  observe.webhookDelivered(TOY, "checks");
  await clock.pass(1);
  expect(asked.issues).toBe(1);
  observe.webhookDelivered(TOY, "target");
  await clock.pass(1);
  expect(asked).toMatchObject({ issues: 2, target: 1 });
});

test("what was not told is found all the same, and has the forge asked often again", async () => {
  const { observe, clock, asked, issues } = world(0);
  observe.webhooks.listens(TOY, 0);
  issues.push(newIssue(1));
  await clock.pass(HOUR_MS + 60_000);
  expect(observe.webhooks.source(TOY)).toMatchObject({ kind: "polling" });
  const before = asked.issues;
  await clock.pass(HOUR_MS);
  expect(asked.issues - before).toBeGreaterThan(20);
  observe.webhookDelivered(TOY, "issues");
  expect(observe.webhooks.source(TOY)).toMatchObject({ kind: "webhook" });
});

test("a look that failed is repeated soon, and what it finds was not missed by the forge", async () => {
  const { observe, clock, asked, issues, fail } = world(0);
  observe.webhooks.listens(TOY, undefined);
  fail(true);
  observe.webhookDelivered(TOY, "issues");
  await clock.pass(1);
  issues.push(newIssue(1));
  fail(false);
  const before = asked.issues;
  await clock.pass(3 * 60_000);
  expect(asked.issues - before).toBe(1);
  expect(observe.webhooks.source(TOY)).toMatchObject({ kind: "webhook" });
});
