import { expect, test } from "vitest";
import { add, createWorld, drain, pushForeign, send } from "../../../test/support/queue-world.ts";
import { queueAggregate, runId } from "../../core/ids.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { pathsOf } from "../host/paths.ts";
import { queueView } from "./queue.ts";
import { queueWaits } from "./queue-waits.ts";
import { statusView } from "./status.ts";

const isBad = (item: string): boolean => item === "a" || item === "c";

test("a person's branch that was sent back waits for that person, an agent's does not", () => {
  const world = createWorld({ rules: { bad: isBad } });
  add(world, "a");
  add(world, "b");
  add(world, "c", { run: runId("42.1"), identity: "dev-42" });
  drain(world);
  const { past } = queueView(world.queue, undefined);
  expect(past.filter(({ status }) => status === "returned")).toHaveLength(2);
  const reason = past.find(({ branch }) => branch === "b-a")?.reason;
  expect(queueWaits(world.queue, true)).toEqual([
    {
      project: world.queue.project,
      about: "b-a",
      why: `sent back: ${reason}`,
      needs_you: true,
      command: "pawl merge-queue explain b-a",
    },
  ]);
});

test("a queue that a person paused says so, by whom and why; one that stopped says why", () => {
  const world = createWorld({ rules: { bad: (item) => item === "poison" } });
  send(world, { kind: "queue-paused", at: world.now, by: "root", why: "a newcomer tries" });
  const wait = { about: "merge queue", command: "pawl merge-queue resume" };
  expect(queueWaits(world.queue, true)).toMatchObject([
    { ...wait, why: "paused by root: a newcomer tries" },
  ]);
  send(world, { kind: "queue-resumed", at: world.now, by: "root" });
  pushForeign(world, "poison");
  add(world, "b");
  drain(world);
  expect(queueWaits(world.queue, true)).toMatchObject([
    { ...wait, why: expect.stringMatching(/^the target itself fails its gates/) },
  ]);
});

test("status lists what landed as the queue's view has it, the latest first", async () => {
  const world = createWorld({ rules: { bad: isBad } });
  for (const item of ["a", "b", "c", "d"]) {
    add(world, item);
    drain(world);
    world.now += 60_000;
  }
  const { project } = world.queue;
  const store = createMemoryStore();
  await store.transaction((tx) => tx.save(queueAggregate(project), world.queue, undefined));
  const place = { store, paths: pathsOf("/home/ann", "/run"), now: world.now };
  const view = await statusView({ ...place, version: "", daemon: null, project: undefined });
  const merged = queueView(world.queue, undefined).past.filter(({ status }) => status === "merged");
  expect(view.landed.map(({ branch }) => branch)).toEqual(["b-d", "b-b"]);
  expect(view.landed).toEqual(
    merged.toReversed().map(({ branch, left_at: at }) => ({ project, branch, at })),
  );
});
