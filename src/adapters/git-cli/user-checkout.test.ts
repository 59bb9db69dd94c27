import { basename } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import type { GitCall, GitContext } from "./context.ts";
import { whyNot } from "./user-checkout.ts";

test("where the look at files in the way fails, the dry run that works on the same index has ended before the failure is told", async () => {
  const ended: string[] = [];
  const git = async ({ args: [command = ""] }: GitCall) => {
    if (command === "ls-files") throw new Error("ls-files failed");
    if (command === "read-tree") for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    ended.push(command);
    return { exitCode: 0, stdout: "", stderr: "", bytes: Buffer.alloc(0) };
  };
  const place = { folder: import.meta.dirname, gitDir: "/checkout/.git", index: "/area/index" };
  const move = { from: commitId("a".repeat(40)), to: commitId("b".repeat(40)) };
  // A file that is there, so that git is asked whether it is the user's.
  const added = [basename(import.meta.filename)];
  const asked = whyNot({ git } as unknown as GitContext, place, { move, added });
  await expect(asked).rejects.toThrow("ls-files failed");
  expect(ended).toContain("read-tree");
});
