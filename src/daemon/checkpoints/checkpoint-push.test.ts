import { expect, test } from "vitest";
import { commitId, projectAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Checkpoints, PushOfCheckpoints } from "../../ports/checkpoints.ts";
import type { StoreReader } from "../../ports/store.ts";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { PROJECT, testRun } from "../../../test/support/run.ts";
import { testConfig } from "../../../test/support/config.ts";
import { CheckpointPush } from "./checkpoint-push.ts";
import type { Ports } from "../engine/ports.ts";

/** Everything that is pending in the microtask queue has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function world(answer: () => Promise<PushOfCheckpoints>, push: string | null = "backup") {
  const clock = new SimClock();
  const pushes: number[] = [];
  const told: string[] = [];
  const errors: unknown[] = [];
  const checkpoints = {
    push: () => {
      pushes.push(clock.monotonicMs());
      return answer();
    },
  } as unknown as Checkpoints;
  const config = push === null ? testConfig() : { ...testConfig(), checkpoints: { push } };
  const state = { kind: "project", name: PROJECT, config } as Project;
  const store = {
    aggregates: async () => [{ id: projectAggregate(PROJECT), version: 1, state }],
  } as unknown as StoreReader;
  const ports = {
    clock,
    project: async () => ({ checkpoints }),
    notifier: { notify: async ({ title }: { title: string }) => void told.push(title) },
  } as unknown as Ports;
  const pusher = new CheckpointPush({ store, ports, onError: (error) => errors.push(error) });
  const pass = async (durationMs: number): Promise<void> => {
    const until = clock.monotonicMs() + durationMs;
    while (clock.advance(until)) await settled();
  };
  const changed = (id: string) => pusher.sync(testRun({ checkpoint: commitId(id) }));
  return { pusher, pushes, told, errors, pass, changed };
}

const pushed = async (): Promise<PushOfCheckpoints> => ({ kind: "pushed", refs: 1 });

test("changes are gathered: the first goes at once, the rest together", async () => {
  const { pusher, pushes, pass, changed } = world(pushed);
  changed("a1");
  await pass(60_000);
  expect(pushes).toEqual([]);
  pusher.start();
  await pass(1);
  for (const id of ["a2", "a3", "a3", "a4"]) changed(id);
  await pass(60_000);
  expect(pushes).toEqual([60_000, 70_000]);
});

test("a remote that does not answer is tried ever more slowly, and a person is told once", async () => {
  let works = false;
  const refuse = async (): Promise<PushOfCheckpoints> => {
    if (works) return pushed();
    throw new OperationError("no answer", { code: "remote-unreachable", retryable: true });
  };
  const { pusher, pushes, told, errors, pass, changed } = world(refuse);
  pusher.start();
  changed("a1");
  await pass(400_000);
  expect(pushes).toEqual([0, 20_000, 60_000, 140_000, 300_000]);
  expect(told).toEqual(["checkpoints of toy do not reach their remote"]);
  expect(errors.length).toBe(5);
  works = true;
  await pass(3_600_000);
  expect(pushes.length).toBe(6);
});

test("another machine's checkpoints are a failure that says what to do", async () => {
  const elsewhere = async (): Promise<PushOfCheckpoints> => ({ kind: "refused", refs: ["r"] });
  const { pusher, errors, pass, changed } = world(elsewhere);
  pusher.start();
  changed("a1");
  await pass(1);
  pusher.stop();
  expect(String(errors[0])).toContain("another machine's are there (r)");
  await pass(3_600_000);
  expect(errors.length).toBe(1);
});

test("nothing is sent without [checkpoints] push", async () => {
  const { pusher, pushes, pass, changed } = world(pushed, null);
  pusher.start();
  changed("a1");
  await pass(60_000);
  expect(pushes).toEqual([]);
});
