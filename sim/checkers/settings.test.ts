import { expect, test } from "vitest";
import type { Event } from "../../src/core/event.ts";
import { projectAggregate, projectName } from "../../src/core/ids.ts";
import { step } from "../../src/core/step.ts";
import { configIn, POLICY_FILE } from "../config.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { settings } from "./settings.ts";

const MINUTE_MS = 60_000;
const PROJECT = projectName("p1");
const ID = projectAggregate(PROJECT);

/** What waits for turns of the event loop, which the simulator holds back for long, has them. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A project whose first pawl.toml counts. `pass` lets time pass as the simulator does. */
async function begin(): Promise<{
  world: World;
  write: (text: string) => void;
  heed: (text: string) => Promise<void>;
  pass: (minutes: number) => Promise<void>;
}> {
  const world = new World(1, { ...optionsFrom(1), projects: 1, ciServer: "none" });
  const { clock, store } = world;
  const project = world.project(PROJECT);
  const { repository } = project;
  const write = (text: string): void => {
    const tree = repository.tree(new Map([[POLICY_FILE, text]]));
    project.target = repository.commit({ tree, parents: [project.target], message: text });
  };
  const save = (event: Event): Promise<void> =>
    store.transaction(async (tx) => {
      const known = await tx.load(ID);
      const { state } = step(ID, known?.state, event);
      if (state !== undefined) await tx.save(ID, state, known?.version);
    });
  const heed = async (text: string): Promise<void> => {
    const config = configIn(world.options, text);
    if (config === undefined) throw new Error(`${text} is invalid`);
    await save({ kind: "project-configured", at: clock.now(), config, source: "target" });
  };
  const pass = async (minutes: number): Promise<void> => {
    const end = clock.monotonicMs() + minutes * MINUTE_MS;
    do await new Promise((resolve) => process.nextTick(resolve));
    while (clock.advance(end));
  };
  const upstream = { kind: "local", path: "/p1" } as const;
  const at = clock.now();
  await save({ kind: "project-registered", at, name: PROJECT, root: "/p1", upstream });
  write("edition = 3");
  await heed("edition = 3");
  settings(world);
  return { world, write, heed, pass };
}

test("a pawl.toml is not called ignored while its change is minutes old", async () => {
  const { world, write, heed, pass } = await begin();
  await pass(65);
  write("edition = 1");
  await heed("edition = 1");
  await pass(15);
  // As it was when the checker began to look.
  write("edition = 3");
  await pass(10);
  await turns();
  expect(world.failure).toBeUndefined();
});

test("a pawl.toml is called ignored if it does not count after an hour", async () => {
  const { world, write, pass } = await begin();
  await pass(65);
  write("edition = 1");
  await pass(70);
  expect(world.failure?.message).toBe('pawl.toml of p1 says "edition = 1", and does not count');
});
