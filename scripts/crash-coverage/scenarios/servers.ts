// Work that is judged by others' servers.
import { makeWoodpeckerWorld } from "../../../test/support/woodpecker-world.ts";
import { makeForgeFactory } from "../../../test/support/forge-factory.ts";
import { expectEqual, landed, work, type Scenario } from "../scenario.ts";

export const ciServer: Scenario = {
  name: "a CI server",
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

export const forge: Scenario = {
  name: "a forge over HTTP",
  make: async () => {
    const factory = await makeForgeFactory();
    await factory.fileIssue("One", work("one"));
    return factory;
  },
  commands: [["run", "--until-idle"]],
  // One call of the port is several requests: each of them is a place of its own.
  everywhere: ["forge.http.sent"],
  check: async (factory) => {
    const { issues, comments } = (factory as ForgeFactory).fake.state;
    const shown = issues.map(({ state, labels, pr }) => [state, labels.length, pr?.merged ?? null]);
    const { runs } = await factory.status();
    return [
      ...expectEqual("one issue, one PR", shown, [
        ["closed", 0, null],
        ["closed", 0, true],
      ]),
      ...expectEqual("nothing is said", comments.length, 0),
      ...expectEqual(
        "the run landed once",
        runs.map((run) => run.outcome),
        ["landed"],
      ),
      ...expectEqual("no process is left", factory.leftovers(), []),
    ];
  },
};

type ForgeFactory = Awaited<ReturnType<typeof makeForgeFactory>>;
