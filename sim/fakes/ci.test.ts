import { ciContract } from "../../src/ports/ci.contract.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { BUG } from "../truth.ts";
import { World } from "../world.ts";
import { createFakeCi } from "./ci.ts";

ciContract("the simulated CI", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const [project] = world.projects.values();
  if (project === undefined) throw new Error("a world without a project");
  const { repository, target } = project;
  return {
    ci: createFakeCi(new Life(world, 1), project),
    async tree(kind) {
      const text = `${world.stamp()} ${kind === "red" ? BUG : ""}`;
      const tree = repository.tree(new Map([["file.txt", text]]));
      return { tree, commit: repository.commit({ tree, parents: [target], message: "work" }) };
    },
    gates: [
      { name: "test", command: "make test", timeoutMs: 60_000 },
      { name: "lint", command: "make lint", timeoutMs: 60_000 },
    ],
    finish: (work) => world.clock.until(work),
    close: async () => undefined,
  };
});
