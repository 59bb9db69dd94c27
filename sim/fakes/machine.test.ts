import { machineContract } from "../../src/ports/machine.contract.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { createFakeMachine } from "./machine.ts";

machineContract("the simulated machine", async () => {
  const world = new World(1, optionsFrom(1));
  const { journal: file } = world.paths;
  return { machine: createFakeMachine(world), file, folder: "/sim", close: async () => undefined };
});
