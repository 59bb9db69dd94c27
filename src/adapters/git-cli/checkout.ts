// A clean checkout of a commit at a pooled path, made from the hub with a private index: on repeat
// only what differs is written. Nothing that ran there before can influence the next one, except
// through the folders that are kept.
import { createHash } from "node:crypto";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "../../core/ids.ts";
import type { Git } from "../../ports/git.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { makeClone } from "./clone.ts";
import { treeOf } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { resolve } from "./refs.ts";
import { removeTree } from "./remove-tree.ts";

type Request = Parameters<Git["checkout"]>[0];

export async function checkout(context: GitContext, request: Request): Promise<{ tree: Tree }> {
  const name = createHash("sha1").update(request.path).digest("hex").slice(0, 20);
  const index = join(context.privateDir, "checkouts", `${name}.index`);
  return context.serial(index, async () => {
    try {
      await fill(context, request, index);
    } catch (error) {
      // Whatever a check left there that git cannot clear away: start from an empty folder.
      if (!(error instanceof OperationError)) throw error;
      await removeTree(request.path);
      await rm(index, { force: true });
      await fill(context, request, index);
    }
    if (request.history) await addHistory(context, request, index);
    return { tree: await treeOf(context, request.commit) };
  });
}

async function fill(context: GitContext, request: Request, index: string): Promise<void> {
  const { path, commit } = request;
  await rm(`${index}.lock`, { force: true });
  await mkdir(path, { recursive: true });
  // Git leaves folders of this name alone wherever they are; at the top it would be a repository.
  await removeTree(join(path, ".git"));
  const env = { GIT_WORK_TREE: path, GIT_INDEX_FILE: index };
  const call = { dir: context.hub, cwd: path, env };
  const what = `check out ${commit} at ${path}`;
  await context.git({ args: ["read-tree", "--reset", "-u", commit], ...call, what });
  await context.crash("git.checkout.files-written");
  const keep = request.keep.map((kept) => `--exclude=/${kept.replace(/^\/+/, "")}`);
  await context.git({ args: ["clean", "-ffdxq", ...keep], ...call, what });
  await context.crash("git.checkout.cleaned");
}

/** The repository is made anew each time: a check may have changed the last one. */
async function addHistory(context: GitContext, request: Request, index: string): Promise<void> {
  const targetAt = await resolve(context, context.targetRef);
  const dir = await makeClone(context, request.path, targetAt);
  await context.git({ args: ["update-ref", "--no-deref", "HEAD", request.commit], dir });
  await copyFile(index, join(dir, "index"));
}
