import { commandsContract } from "../../src/ports/commands.contract.ts";
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
