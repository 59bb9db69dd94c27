// Small ports of the real machine, together, because each takes only a moment.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/adapters/clock-system/system-clock.ts";
import { procMachine } from "../../src/adapters/machine-proc/machine.ts";
import { createFilePublisher } from "../../src/adapters/publish-files/file-publisher.ts";
import { createWorkspaces } from "../../src/adapters/workspace-setup/workspace-setup.ts";
import { clockContract } from "../../src/ports/clock.contract.ts";
import { machineContract } from "../../src/ports/machine.contract.ts";
import { publisherContract } from "../../src/ports/publisher.contract.ts";
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

publisherContract("published files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-published-"));
  return {
    publisher: createFilePublisher(),
    place: (name) => join(folder, name, "copy.json"),
    read: async (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
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
