// Small ports of the real machine, together, because each takes only a moment.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/adapters/clock-system/system-clock.ts";
import { procMachine } from "../../src/adapters/machine-proc/machine.ts";
import { createWorkspaces } from "../../src/adapters/workspace-setup/workspace-setup.ts";
import { clockContract } from "../../src/ports/clock.contract.ts";
import { machineContract } from "../../src/ports/machine.contract.ts";
import { workspacesContract } from "../../src/ports/workspace.contract.ts";
import { gitProject } from "../support/git-project.ts";

// Its timers alone keep no program alive; vitest's do.
clockContract("the machine's clock", () => ({ clock: systemClock, finish: (work) => work }));

machineContract("this machine", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-machine-"));
  const file = join(folder, "file");
  writeFileSync(file, Buffer.alloc(1024 * 1024));
  const close = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
  return { machine: procMachine, file, folder, close };
});

workspacesContract("workspaces on disk", async () => {
  const project = gitProject("local");
  const { user: path } = project;
  let commits = 0;
  return {
    workspaces: createWorkspaces({ PATH: process.env["PATH"] ?? "/usr/bin:/bin" }),
    path,
    nowhere: join(project.root, "nowhere"),
    commit: async () => project.commit(path, { "new.txt": `${(commits += 1)}\n` }),
    close: async () => project[Symbol.dispose](),
  };
});
