// Where published copies of the state lie in the simulated world.
import type { Publisher } from "../../src/ports/publisher.ts";
import type { World } from "../world.ts";

export const createFakePublisher = (world: World): Publisher => ({
  publish: async (path, content) => {
    world.published.set(path, content);
    for (const listener of world.publishedListeners) listener(path, content);
  },
});
