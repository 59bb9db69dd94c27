import { publisherContract } from "../../src/ports/publisher.contract.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { createFakePublisher } from "./publisher.ts";

publisherContract("the simulated publisher", async () => {
  const world = new World(1, optionsFrom(1));
  return {
    publisher: createFakePublisher(world),
    place: (name) => `/sim/state/${name}.json`,
    read: async (path) => world.published.get(path),
    close: async () => undefined,
  };
});
