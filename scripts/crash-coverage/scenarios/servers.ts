// Work that is judged by others' servers.
import { makeWoodpeckerWorld } from "../../../test/support/woodpecker-world.ts";
import { landed, work, type Scenario } from "../scenario.ts";

export const ciServer: Scenario = {
  name: "a CI server",
  points: /^ci-server\.judge/,
  make: async () => {
    const world = await makeWoodpeckerWorld();
    await world.addIssue({ title: "One", body: work("one") });
    return world;
  },
  commands: [["run", "--until-idle"]],
  check: (factory) =>
    landed(factory, {
      titles: ["One (#1)"],
      ref: "main",
      in: factory.git("config", "--get", "remote.origin.url"),
    }),
};
