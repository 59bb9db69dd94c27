// What no planted fault of the acceptance test can show: entries of dead runs, and versions.
import { expect, test } from "vitest";
import type { Queue } from "../../../core/merge-queue/queue.ts";
import { openQueue } from "../../../core/merge-queue/step-queue.ts";
import { projectName, runId } from "../../../core/ids.ts";
import type { Run } from "../../../core/run/run.ts";
import type { Patient } from "../patient.ts";
import { CHECKS } from "./all.ts";
import { queueCheck } from "./queue.ts";
import { isAtLeast } from "./tools.ts";

const toy = projectName("toy");

function patientWith(run: Partial<Run>[], entryRun: string | undefined) {
  const entries = [{ id: 7, branch: "pawl/1", run: entryRun }] as unknown as Queue["entries"];
  const queue = { ...openQueue({ kind: "queue-opened", at: 0, project: toy }), entries };
  const sent: unknown[] = [];
  const patient = {
    now: 5,
    states: async () => [queue],
    runs: async () => run,
    writing: { engine: { loop: { submit: async (input: unknown) => sent.push(input) } } },
  } as unknown as Patient;
  return { patient, sent };
}

test("an entry whose run is over or unknown is taken out; others are left alone", async () => {
  const over = { project: toy, id: runId("1.1"), stage: { kind: "ended" } } as const;
  for (const runs of [[over], []]) {
    const { patient, sent } = patientWith(runs, "1.1");
    const [trouble] = await queueCheck.run(patient);
    expect(trouble?.what).toBe("entry 7 (pawl/1) of toy waits for run 1.1, which is over");
    await trouble?.mend?.apply();
    expect(sent).toEqual([
      { to: "queue:toy", event: { kind: "entry-removed", at: 5, entry: 7, by: "doctor" } },
    ]);
  }
  const living = { ...over, stage: { kind: "queued" } } as unknown as Run;
  expect(await queueCheck.run(patientWith([living], "1.1").patient)).toEqual([]);
  expect(await queueCheck.run(patientWith([], undefined).patient)).toEqual([]);
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

test("checks are told apart by their ids", () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
