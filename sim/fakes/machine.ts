// The machine under a simulated factory: there is room enough, but that memory gets short.
import type { Machine } from "../../src/ports/machine.ts";
import type { World } from "../world.ts";

export const createFakeMachine = (world: World): Machine => ({
  memory: async () => ({
    freeMb: world.faults.strikes("memoryLow") ? 1000 : 8000,
    swapUsedMb: 0,
    ownMb: 100,
  }),
  // There is no file but the journal.
  fileMb: async (path) => (path === world.paths.journal ? 1 : 0),
  diskUsedPercent: async () => 20,
  loadPerCore: () => 0.5,
  containers: async () => [],
  tail: async () => [],
  folders: async () => [],
});
