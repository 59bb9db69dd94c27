import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MACHINE } from "../../../test/support/role-facts.ts";
import { parseFormula } from "../../config/formula/parse-formula.ts";
import { holds } from "../../core/formula/condition.ts";
import { mailAggregate, projectAggregate, projectName } from "../../core/ids.ts";
import type { Mailbox } from "../../core/mail/mailbox.ts";
import type { AggregateState } from "../../core/step.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { pathsOf } from "../host/paths.ts";
import { roundsOf } from "../roles/rounds.ts";
import type { BuiltinContext } from "./builtin.ts";
import { roleAlarm } from "./role-alarm.ts";
import { rolePreflight } from "./role-preflight.ts";

const project = projectName("toy");
const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

const BODY = "x".repeat(5_000);

/** What a round finds besides a healthy machine. */
type World = {
  diskUsedPercent?: number;
  idle?: string[];
  fixed?: number;
  subject?: string;
  log?: string;
};

async function round(found: World) {
  const { diskUsedPercent = 20, idle = [], fixed = 0, subject, log = "" } = found;
  const store = createMemoryStore();
  const mail = {
    kind: "mail",
    project,
    letters: [
      {
        id: "1",
        from: "human",
        to: "supervisor",
        subject,
        body: BODY,
        at: 0,
        state: { kind: "waiting" },
      },
    ],
  };
  await store.transaction(async (tx) => {
    const known = { kind: "project", name: project, active: [], leaving: [] };
    await tx.save(projectAggregate(project), known as unknown as AggregateState, undefined);
    if (subject !== undefined) {
      await tx.save(mailAggregate(project), mail as unknown as Mailbox, undefined);
    }
  });
  let fixes = 0;
  const { freeMb, swapUsedMb, loadPerCore, journalMb } = MACHINE;
  const context = {
    project,
    run: { id: "run-supervisor.1", cycle: 1 },
    step: "health-assessment",
    with: { role: "supervisor" },
    store,
    paths: pathsOf("/home", "/run"),
    now: () => NOW,
    submit: async () => true,
    fix: async () => {
      fixes += 1;
      return { fixed, note: `the doctor fixed ${fixed} of ${fixed}` };
    },
    own: { forge: { issues: async () => [], prs: async () => [] } },
    ports: {
      redact: (text: string) => text,
      terminal: { panes: async () => [] },
      notifier: { notify: async () => undefined },
      machine: {
        memory: async () => ({ freeMb, swapUsedMb }),
        diskUsedPercent: async () => diskUsedPercent,
        loadPerCore: () => loadPerCore,
        fileMb: async () => journalMb,
        containers: async () => [],
        tail: async () => [log],
        folders: async () => idle.map((name) => ({ name, changedAt: 0 })),
      },
    },
  } as unknown as BuiltinContext;
  const rounds = async () => (await roundsOf(store, project)).map(({ done }) => done);
  const first = await roleAlarm.run(context);
  return { context, rounds, first, fixes: () => fixes };
}

test("an idle workspace is told, and gives the doctor nothing to do and the log no round", async () => {
  const { first, fixes, rounds } = await round({ idle: ["dev-4"] });
  expect(first.output).toContain("P4: the workspace dev-4");
  expect(fixes()).toBe(0);
  expect(await rounds()).toEqual([]);
});

test.each([
  ["nothing: only what was asked", 0, ["asked what to do about P1: the disk is 90 % full"]],
  [
    "something: that too",
    2,
    ["asked what to do about P1: the disk is 90 % full", "the doctor fixed 2 of 2"],
  ],
])("the log of a round in which the doctor fixed %s", async (_, fixed, done) => {
  const { rounds, fixes } = await round({ diskUsedPercent: 90, fixed });
  expect(fixes()).toBe(1);
  expect(await rounds()).toEqual([done]);
});

test("only a finding has its level in the output, whatever people write about", async () => {
  const { first } = await round({ subject: "Is this P0?" });
  expect(first.output).toContain("a letter from human is waiting: Is this P-0?");
  expect(first.output).not.toContain("P0");
});

/** Whether the formula would start a session. */
async function isJudged(found: World): Promise<boolean> {
  const text = readFileSync("formulas/run-supervisor.toml", "utf8");
  const parsed = parseFormula(text, "run-supervisor.toml");
  const step =
    parsed.kind === "valid" && parsed.formula.steps.find(({ id }) => id === "decide-actions");
  if (!step || step.when === undefined) throw new Error("the formula has no such step");
  const { context, first } = await round(found);
  const { output } = await rolePreflight.run(context);
  const outputs: Record<string, string> = { preflight: output, "health-assessment": first.output };
  const scope = {
    vars: {},
    step: (id: string) => ({ status: "done", output: outputs[id] ?? "" }),
  };
  return holds(step.when.means, scope);
}

test("a model is asked because of a finding, and not because of words in a log", async () => {
  const log = '"level": "P2" and P3';
  expect(await isJudged({ idle: ["P2"], log })).toBe(false);
  expect(await isJudged({ idle: ["P2"], log, subject: "Is this P0?" })).toBe(true);
});

test("the supervisor is shown the beginning of a long letter, and that there is more", async () => {
  const { context } = await round({ subject: "Long" });
  const { output } = await rolePreflight.run(context);
  expect(output).toContain("x".repeat(2_000));
  expect(output).not.toContain("x".repeat(2_001));
  expect(output).toContain("x … (5000 characters)");
});
