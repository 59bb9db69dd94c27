// Saves and removes a workspace with read-only folders as an ordinary user: for root no folder is
// read-only. The program is loaded before the rights are dropped, and prints what is left.
import { chmodSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitProject } from "../../support/git-project.ts";

const ORDINARY = 65_534;

if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(ORDINARY);
  process.setuid?.(ORDINARY);
}
using project = gitProject("local");
const path = project.workspace("dev-1");
const from = await project.pawl.fetchTarget();
await project.pawl.prepareWorkspace({ path, branch: "pawl/1", from });
project.write(path, { "cache/deep/f.txt": "work\n" });
chmodSync(join(path, "cache", "deep"), 0o555);
chmodSync(join(path, "cache"), 0o500);
const removal = await project.pawl.removeWorkspace({ path, identity: "dev-1" });
const saved = project.git(
  project.hub,
  "ls-tree",
  "-r",
  "--name-only",
  "refs/pawl/checkpoints/dev-1",
);
const left = readdirSync(dirname(path));
console.log(JSON.stringify({ uid: process.getuid?.(), removal, saved: saved.split("\n"), left }));
