// Where published copies of the state lie in the simulated world.
import type { Publisher } from "../../src/ports/publisher.ts";
import type { World } from "../world.ts";

export const createFakePublisher = ({ published }: World): Publisher => ({
  publish: async (path, content) => void published.set(path, content),
});
