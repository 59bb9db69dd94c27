import { gitContract } from "../../src/ports/git.contract.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World, type Workspace } from "../world.ts";
import { createFakeGit, UNSAVABLE } from "./git.ts";

gitContract("the simulated git", async () => {
  const world = new World(1, {
    ...optionsFrom(1),
    projects: 1,
    remote: true,
    forgeMerges: false,
  });
  world.faults.on = false;
  const [project] = world.projects.values();
  if (project === undefined) throw new Error("a world without a project");
  const { repository } = project;
  const at = (path: string): Workspace => {
    const workspace = project.workspaces.get(path);
    if (workspace === undefined) throw new Error(`no workspace at ${path}`);
    return workspace;
  };
  const write = async (path: string, files: Record<string, string>): Promise<void> => {
    at(path).files = new Map([...at(path).files, ...Object.entries(files)]);
  };
  return {
    git: createFakeGit(new Life(world, 1), project),
    place: (name) => `/sim/${name}`,
    write,
    async writeUnsavable(path) {
      at(path).unsavable = true;
      return UNSAVABLE;
    },
    read: async (path, file) => at(path).files.get(file),
    async commit(path, files) {
      await write(path, files);
      const workspace = at(path);
      const tree = repository.tree(workspace.files);
      const parents = [workspace.head];
      workspace.head = repository.commit({ tree, parents, message: "work" });
      return workspace.head;
    },
    async push(files) {
      const tree = repository.tree(
        new Map([...repository.files(project.target), ...Object.entries(files)]),
      );
      const to = repository.commit({ tree, parents: [project.target], message: "others" });
      world.moveTarget(project, to, "others");
      return to;
    },
    async pushTo(branch, files) {
      const head = project.upstreamBranches.get(branch);
      if (head === undefined) throw new Error(`upstream has no ${branch}`);
      const tree = repository.tree(new Map([...repository.files(head), ...Object.entries(files)]));
      const to = repository.commit({ tree, parents: [head], message: "others" });
      world.moveUpstream(project, { branch, to }, "others");
      return to;
    },
    close: async () => undefined,
  };
});
