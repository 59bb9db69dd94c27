import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import type { GitCall, GitContext } from "./context.ts";
import { whyNot } from "./user-checkout.ts";

test.each(["ls-files", "diff-tree"])(
  "where %s fails, the dry run that works on the same index has ended before the failure is told",
  async (failing) => {
    const ended: string[] = [];
    const git = async ({ args: [command = ""] }: GitCall) => {
      if (command === failing) throw new Error(`${command} failed`);
      if (command === "read-tree") for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      ended.push(command);
      return { exitCode: 0, stdout: "", stderr: "", bytes: Buffer.alloc(0) };
    };
    const place = { folder: "/checkout", gitDir: "/checkout/.git", index: "/area/index" };
    const move = { from: commitId("a".repeat(40)), to: commitId("b".repeat(40)) };
    const asked = whyNot({ git } as unknown as GitContext, place, move);
    await expect(asked).rejects.toThrow(`${failing} failed`);
    expect(ended).toContain("read-tree");
  },
);
