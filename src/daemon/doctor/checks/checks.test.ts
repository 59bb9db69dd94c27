// What no planted fault of the acceptance tests can show: a machine without room, a daemon that does
// not get to its work, other versions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Queue } from "../../../core/merge-queue/queue.ts";
import { openQueue } from "../../../core/merge-queue/step-queue.ts";
import { projectName, runId } from "../../../core/ids.ts";
import type { Run } from "../../../core/run/run.ts";
import type { Inspection } from "../inspection.ts";
import { CHECKS } from "./all.ts";
import { daemonCheck } from "./daemon.ts";
import { journalCheck } from "./journal.ts";
import { diskTroubles, memoryTroubles } from "./machine.ts";
import { labelsCheck } from "./labels.ts";
import { queueCheck } from "./queue.ts";
import { isAtLeast } from "./tools.ts";

const toy = projectName("toy");

function inspectionWith(run: Partial<Run>[], entryRun: string | undefined) {
  const entries = [{ id: 7, branch: "pawl/1", run: entryRun }] as unknown as Queue["entries"];
  const queue = { ...openQueue({ kind: "queue-opened", at: 0, project: toy }), entries };
  const sent: unknown[] = [];
  const inspection = {
    now: 5,
    states: async () => [queue],
    runs: async () => run,
    writing: { engine: { loop: { submit: async (input: unknown) => sent.push(input) } } },
  } as unknown as Inspection;
  return { inspection, sent };
}

test("an entry whose run is over or unknown is taken out; others are left alone", async () => {
  const over = { project: toy, id: runId("1.1"), stage: { kind: "ended" } } as const;
  for (const runs of [[over], []]) {
    const { inspection, sent } = inspectionWith(runs, "1.1");
    const [trouble] = await queueCheck.run(inspection);
    expect(trouble?.what).toBe("entry 7 (pawl/1) of toy waits for run 1.1, which has ended");
    await trouble?.fix?.apply();
    expect(sent).toEqual([
      { to: "queue:toy", event: { kind: "entry-removed", at: 5, entry: 7, by: "doctor" } },
    ]);
  }
  const living = { ...over, stage: { kind: "queued" } } as unknown as Run;
  expect(await queueCheck.run(inspectionWith([living], "1.1").inspection)).toEqual([]);
  expect(await queueCheck.run(inspectionWith([], undefined).inspection)).toEqual([]);
});

test("too little room, files or memory is found, and file systems that count no files are not", () => {
  const keys = (troubles: { key: string }[]): string[] => troubles.map(({ key }) => key);
  const roomy = { bavail: 2_000_000, bsize: 1000, ffree: 20_000, files: 90_000 };
  expect(diskTroubles("/home", roomy)).toEqual([]);
  expect(diskTroubles("/home", { ...roomy, bavail: 999_999 })[0]?.what).toBe(
    "only 1000 MB are free",
  );
  expect(keys(diskTroubles("/home", { ...roomy, ffree: 9_999 }))).toEqual(["inodes"]);
  expect(diskTroubles("/home", { ...roomy, ffree: 0, files: 0 })).toEqual([]);
  expect(keys(memoryTroubles(199_999_999))).toEqual(["memory"]);
  expect(memoryTroubles(200_000_000)).toEqual([]);
});

test("a daemon that is silent, of another version, or past its deadlines is found", async () => {
  const own = { pid: 1, since: "", version: "1.0" };
  // Whichever file stands for the heartbeat: its age is what counts.
  const paths = { heartbeat: import.meta.filename, journal: "/nowhere/pawl.db" };
  const store = { nextWake: async () => 1000, outbox: async () => [] };
  const inspection = (more: Partial<Inspection>): Inspection =>
    ({ daemon: own, version: "1.0", paths, store, ...more }) as unknown as Inspection;
  const keys = async (check: typeof daemonCheck, more: Partial<Inspection>): Promise<string[]> =>
    (await check.run(inspection(more))).map(({ key }) => key);
  expect(await keys(daemonCheck, { now: 0 })).toEqual([]);
  expect(await keys(daemonCheck, { now: Date.now() + 61_000 })).toEqual(["silent"]);
  expect(await keys(daemonCheck, { now: 0, version: "1.1" })).toEqual(["version"]);
  expect(await keys(journalCheck, { now: 121_001 })).toEqual(["overdue"]);
  expect(await keys(journalCheck, { now: 120_999 })).toEqual([]);
  expect(await keys(journalCheck, { now: 121_001, daemon: null })).toEqual([]);
});

test("labels of others' issues are theirs, and an operation's are as it ended", async () => {
  const look = async (holder: string | undefined, labels: string[], stage: unknown) => {
    const edits: unknown[] = [];
    const forge = {
      issues: async () => [{ number: 4, labels }],
      claimOf: async () => holder && { holder },
      editIssue: async (_: number, change: unknown) => edits.push(change),
    };
    const project = { name: toy, config: {}, active: [], leaving: [], history: { 4: {} } };
    const inspection = {
      projects: async () => [project],
      runs: async () => [],
      ports: { project: async () => ({ forge }) },
      store: { load: async () => ({ state: { kind: "action", stage } }) },
    } as unknown as Inspection;
    const troubles = await labelsCheck.run(inspection);
    for (const { fix } of troubles) await fix?.apply();
    return edits;
  };
  const removeLabels = ["in-progress"];
  for (const holder of ["sibling", "stranger"]) {
    expect(await look(holder, ["in-progress"], undefined)).toEqual([]);
  }
  expect(await look("this", ["in-progress"], undefined)).toEqual([
    { addLabels: ["backlog"], removeLabels },
  ]);
  const action = ["action", "in-progress"];
  const ended = (kind: string) => ({ kind: "ended", outcome: { kind } });
  expect(await look("this", action, ended("done"))).toEqual([{ removeLabels, state: "closed" }]);
  const blocked = [{ removeLabels, addLabels: ["blocked"] }];
  expect(await look(undefined, action, ended("blocked"))).toEqual(blocked);
  expect(await look("this", action, { kind: "task", key: "k" })).toEqual([]);
  expect(await look("this", ["action"], { kind: "task", key: "k" })).toMatchObject([
    { addLabels: removeLabels },
  ]);
});

test("versions compare by their first two numbers", () => {
  expect(isAtLeast("git version 2.39.5", [2, 39])).toBe(true);
  expect(isAtLeast("git version 2.38.1", [2, 39])).toBe(false);
  expect(isAtLeast("tmux 3.3a", [3, 0])).toBe(true);
  expect(isAtLeast("tmux 2.9", [3, 0])).toBe(false);
  expect(isAtLeast("tmux next-3.6", [3, 0])).toBe(true);
  expect(isAtLeast("git version 10.1", [2, 39])).toBe(true);
  expect(isAtLeast("tmux master", [3, 0])).toBe(true);
});

test("checks are told apart by their ids, and each has a fault that is planted end to end", () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const tests = join(import.meta.dirname, "../../../../test/acceptance");
  const planted = [
    "broken-gate",
    "doctor",
    "doctor-report",
    "forge-settings",
    "home-bound",
    "walls",
  ]
    .map((name) => `${name}.test.ts`)
    .map((name) => readFileSync(join(tests, name), "utf8"))
    .join("\n");
  const isPlanted = (id: string): boolean =>
    new RegExp(
      String.raw`(?:check: |leave\(|report\(|fix\()"${id}"|stringMatching\(/\^${id}\\b`,
    ).test(planted);
  expect(ids.filter((id) => !isPlanted(id))).toEqual([]);
});
