import { expect, test } from "vitest";
import { commandsContract } from "../../src/ports/commands.contract.ts";
import type { CommandRequest } from "../../src/ports/commands.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { createFakeCommands } from "./commands.ts";

commandsContract("the simulated commands", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  let starts = 0;
  world.listeners.push((fact) => {
    if (fact.kind === "command-started") starts += 1;
  });
  return {
    commands: () => createFakeCommands(new Life(world, 1)),
    request: {
      folder: "/sim/step.1",
      argv: ["true"],
      cwd: "/sim",
      env: {},
      inputs: {},
      timeoutMs: 3_600_000,
      signal: new AbortController().signal,
    },
    started: async () => starts,
    allowEnd: async () => undefined,
    finish: (work) => world.clock.until(work),
    close: async () => undefined,
  };
});

// Two timers are due when a command ends: the world's own, and that of the call that waits for it.
const FOLDERS = Array.from({ length: 20 }, (_, index) => `/sim/formulas/f${index}/1`);

/** The commands that checkers take to be under way when `end` has seen them end. */
async function underWayAfter(
  end: (life: Life, folder: string) => Promise<unknown>,
): Promise<string[]> {
  const world = new World(1, { ...optionsFrom(1), projects: 1, anyOrder: true });
  world.faults.on = false;
  const underWay = new Set<string>();
  world.listeners.push((fact) => {
    if (fact.kind === "command-started") underWay.add(fact.folder);
    if (fact.kind === "command-ended") underWay.delete(fact.folder);
  });
  const ends = FOLDERS.map(async (folder) => {
    await end(new Life(world, 1), folder);
    return underWay.has(`${folder}/step.1`) ? [folder] : [];
  });
  return (await world.clock.until(Promise.all(ends))).flat();
}

const request = (folder: string): CommandRequest => ({
  folder: `${folder}/step.1`,
  argv: ["true"],
  cwd: "/sim",
  env: {},
  inputs: {},
  timeoutMs: 3_600_000,
  signal: new AbortController().signal,
});

test("the checkers hear of the end of a command before the daemon", async () => {
  expect(
    await underWayAfter((life, folder) => createFakeCommands(life).run(request(folder))),
  ).toEqual([]);
});

test("the checkers hear of the end of a command that is cleared at the moment of its end", async () => {
  expect(
    await underWayAfter(async (life, folder) => {
      const commands = createFakeCommands(life);
      commands.run(request(folder)).catch(() => undefined);
      const endsAt = life.world.commands.get(`${folder}/step.1`)?.endsAt ?? 0;
      await life.world.clock.sleep(endsAt - life.world.clock.monotonicMs());
      await commands.clear(folder);
    }),
  ).toEqual([]);
});
