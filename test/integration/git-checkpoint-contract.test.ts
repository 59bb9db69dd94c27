import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointsContract } from "../../src/ports/checkpoints.contract.ts";
import { gitProject } from "../support/git-project.ts";

checkpointsContract("checkpoints by git's command line", async () => {
  const project = gitProject("local");
  return {
    git: project.pawl,
    checkpoints: project.checkpoints,
    place: project.workspace,
    write: async (workspace, files) => project.write(workspace, files),
    commit: async (workspace, files) => project.commit(workspace, files),
    read: async (workspace, file) => {
      const path = join(workspace, file);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    finish: (work) => work,
    close: async () => project[Symbol.dispose](),
  };
});
