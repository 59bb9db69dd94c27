import { workspacesContract } from "../../src/ports/workspace.contract.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World } from "../world.ts";
import { createFakeGit } from "./git.ts";
import { createFakeWorkspaces } from "./workspaces.ts";

workspacesContract("the simulated workspaces", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const [project] = world.projects.values();
  if (project === undefined) throw new Error("a world without a project");
  const { repository, workspaces, target: from } = project;
  const path = "/sim/a";
  await createFakeGit(new Life(world, 1), project).prepareWorkspace({ path, branch: "a", from });
  return {
    workspaces: createFakeWorkspaces(world),
    path,
    nowhere: "/sim/nowhere",
    commit: async () => {
      const workspace = workspaces.get(path);
      if (workspace === undefined) throw new Error("no workspace");
      const tree = repository.tree(new Map([["new.txt", world.stamp()]]));
      const parents = [workspace.head];
      workspace.head = repository.commit({ tree, parents, message: "work" });
    },
    close: async () => undefined,
  };
});
