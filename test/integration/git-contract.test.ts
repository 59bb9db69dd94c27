import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitContract } from "../../src/ports/git.contract.ts";
import { gitProject } from "../support/git-project.ts";

for (const kind of ["local", "remote"] as const) {
  gitContract(`git by its command line, ${kind}`, async () => {
    const project = gitProject(kind, { fileMaxBytes: 1_000 });
    const { user, root, pawl } = project;
    return {
      git: pawl,
      place: (name) => join(root, "projects", "demo", "workspaces", name),
      commit: async (workspace, files) => {
        project.git(workspace, "config", "user.name", "Ada");
        project.git(workspace, "config", "user.email", "ada@example.org");
        return project.commit(workspace, files);
      },
      write: async (workspace, files) => project.write(workspace, files),
      writeUnsavable: async (workspace) => {
        project.write(workspace, { "huge.bin": "x".repeat(2_000) });
        return "huge.bin";
      },
      read: async (workspace, file) => {
        const path = join(workspace, file);
        return existsSync(path) ? readFileSync(path, "utf8") : undefined;
      },
      push: async (files) => {
        if (kind === "remote") project.git(user, "pull", "-q", "--ff-only", "origin", "main");
        const commit = project.commit(user, files);
        if (kind === "remote") project.git(user, "push", "-q", "origin", "main");
        return commit;
      },
      ...(kind === "remote" && {
        pushTo: async (branch: string, files: Record<string, string>) => {
          project.git(user, "fetch", "-q", "origin", branch);
          project.git(user, "checkout", "-q", "--detach", "FETCH_HEAD");
          const commit = project.commit(user, files);
          project.git(user, "push", "-q", "origin", `HEAD:refs/heads/${branch}`);
          project.git(user, "checkout", "-q", "main");
          return commit;
        },
      }),
      close: async () => project[Symbol.dispose](),
    };
  });
}
