// A copy of a workspace's index that can be read without the workspace's repository. An agent may have
// split its index (`core.splitIndex`): then a part of it is in another file, and git has to list it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { copyUntrusted } from "../shared/untrusted-file.ts";
import type { GitContext } from "./context.ts";

const INDEX_MAX_BYTES = 512 * 1024 * 1024;

/** False where there is no index that can be read. */
export async function copyWholeIndex(
  context: GitContext,
  { workspace, index }: { workspace: string; index: string },
): Promise<boolean> {
  const dir = join(workspace, ".git");
  const names = (await ifThere(readdir(dir))) ?? [];
  if (!names.some((name) => name.startsWith("sharedindex."))) {
    return copyUntrusted({ from: join(dir, "index"), to: index, maxBytes: INDEX_MAX_BYTES });
  }
  const args = ["ls-files", "--stage", "-z"];
  const listed = await context.git({ args, dir, cwd: workspace, expect: [0, 128] });
  if (listed.exitCode !== 0) return false;
  const env = { GIT_INDEX_FILE: index };
  await context.inHub(["update-index", "-z", "--index-info"], { env, stdin: listed.bytes });
  return true;
}
