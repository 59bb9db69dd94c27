// Walls in a simulated world: always there, and around nothing.
import type { Walls } from "../../src/ports/walls.ts";

export const createFakeWalls = (): Walls => ({
  around: async (_room, argv) => [argv[0] ?? "", ...argv.slice(1)],
  probe: async () => ["pid", "files"],
  limits: async () => [],
  placeState: async () => [],
});
