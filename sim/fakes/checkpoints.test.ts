import { checkpointsContract } from "../../src/ports/checkpoints.contract.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { workspaceChanged, World, type Workspace } from "../world.ts";
import { createFakeCheckpoints } from "./checkpoints.ts";
import { createFakeGit } from "./git.ts";

checkpointsContract("the simulated checkpoints", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1, remote: true });
  world.faults.on = false;
  const [project] = world.projects.values();
  if (project === undefined) throw new Error("a world without a project");
  const { repository } = project;
  const life = new Life(world, 1);
  const change = (path: string, files: Record<string, string>): Workspace => {
    const workspace = project.workspaces.get(path);
    if (workspace === undefined) throw new Error(`no workspace at ${path}`);
    workspace.files = new Map([...workspace.files, ...Object.entries(files)]);
    return workspace;
  };
  return {
    git: createFakeGit(life, project),
    checkpoints: createFakeCheckpoints(life, project),
    place: (name) => `/sim/${name}`,
    async write(path, files) {
      change(path, files);
      workspaceChanged(project, path);
    },
    async commit(path, files) {
      const workspace = change(path, files);
      const tree = repository.tree(workspace.files);
      const parents = [workspace.head];
      workspace.head = repository.commit({ tree, parents, message: "work" });
      workspaceChanged(project, path);
    },
    read: async (path, file) => project.workspaces.get(path)?.files.get(file),
    finish: (work) => world.clock.until(work),
    close: async () => undefined,
  };
});
