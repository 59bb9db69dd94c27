// A landing whose pack is larger than one string of Node can be (2^29 - 24 characters). It writes 2 GB
// and takes up to a minute, so it runs only with PAWL_LARGE=1; run-stream.test.ts has the mechanism.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitProject } from "../support/git-project.ts";

const FILES = 12;
const FILE_BYTES = 46_000_000;

test.runIf(process.env["PAWL_LARGE"] === "1")(
  "550 MB land: the pack is streamed into the user's repository",
  async () => {
    using project = gitProject("local");
    const { user } = project;
    const expected = await project.pawl.fetchTarget();
    project.git(user, "config", "core.compression", "0");
    project.git(user, "config", "pack.window", "0");
    project.git(user, "config", "core.bigFileThreshold", "1k");
    const file = join(project.root, "zeros");
    const blob = Buffer.alloc(FILE_BYTES);
    const entries = Array.from({ length: FILES }, (_, index) => {
      blob.writeUInt32BE(index + 1);
      writeFileSync(file, blob);
      return `100644 blob ${project.git(user, "hash-object", "-w", file)}\tbig-${index}.bin\n`;
    });
    const tree = execFileSync("git", ["mktree"], { cwd: user, input: entries.join("") });
    const commit = project.git(
      user,
      "commit-tree",
      String(tree).trim(),
      "-p",
      expected,
      "-m",
      "big",
    );
    project.git(user, "branch", "big", commit);
    project.git(user, "checkout", "-q", "--detach");
    const adopted = (await project.pawl.adoptBranches({ branches: ["big"] }))[0];
    if (adopted === undefined) throw new Error("the branch was not found");
    const outcome = await project.pawl.land({ candidate: adopted.head, expected });
    expect(outcome).toEqual({ kind: "landed", commit: adopted.head });
    expect(project.head(user, "main")).toBe(adopted.head);
  },
  120_000,
);
