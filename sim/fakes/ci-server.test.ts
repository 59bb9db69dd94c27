import { ciServerContract } from "../../src/ports/ci-server.contract.ts";
import { CiRecords, CONTEXTS } from "../ci-server.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { createFakeCiServer } from "./ci-server.ts";

const PASS_MS = 600_000;

ciServerContract("the simulated CI server", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const [project] = world.projects.values();
  if (project === undefined) throw new Error("a world without a project");
  const { repository, target } = project;
  const records = new CiRecords(world, project);
  return {
    server: createFakeCiServer(new Life(world, 1), records),
    contexts: CONTEXTS,
    async commit() {
      const tree = repository.tree(new Map([["file.txt", world.stamp()]]));
      return { tree, commit: repository.commit({ tree, parents: [target], message: "work" }) };
    },
    report: async (commit, check) => records.set(commit, check),
    pass: () => world.clock.until(world.clock.sleep(PASS_MS)),
    close: async () => undefined,
  };
});
