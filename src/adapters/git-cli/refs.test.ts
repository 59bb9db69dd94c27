import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";
import { setRef } from "./refs.ts";

const hub = mkdtempSync(join(tmpdir(), "pawl-refs-"));
const [old, commit] = [commitId("a".repeat(40)), commitId("b".repeat(40))];
afterEach(() => rmSync(hub, { recursive: true, force: true }));

/** Answers what git was asked for. */
async function asked(ref: string, there: Record<string, string> = {}): Promise<string[][]> {
  mkdirSync(join(hub, "refs", "pawl"), { recursive: true });
  for (const [path, text] of Object.entries(there)) {
    mkdirSync(dirname(join(hub, path)), { recursive: true });
    writeFileSync(join(hub, path), text);
  }
  const calls: string[][] = [];
  const inHub = async (args: string[]) => void calls.push(args);
  await setRef({ hub, inHub } as unknown as GitContext, ref, commit);
  return calls;
}

const read = (path: string): string => readFileSync(join(hub, path), "utf8");

test("a ref of the queue, or one that is there, is written without a git", async () => {
  expect(await asked("refs/pawl/queue/7")).toEqual([]);
  expect(read("refs/pawl/queue/7")).toBe(`${commit}\n`);
  expect(await asked("refs/pawl/target/main", { "refs/pawl/target/main": old })).toEqual([]);
  expect(read("refs/pawl/target/main")).toBe(`${commit}\n`);
});

test.each([
  ["a new ref elsewhere", "refs/pawl/target/main", {}],
  ["a name that leads to another folder", "refs/pawl/pushed/../../../config", { config: "mine" }],
  ["a ref that another git has locked", "refs/pawl/queue/7", { "refs/pawl/queue/7.lock": "" }],
  ["a ref in the place of a folder", "refs/pawl/queue", { "refs/pawl/queue/7": old }],
])("%s is left to git", async (_, ref, there) => {
  expect(await asked(ref, there)).toEqual([["update-ref", ref, commit]]);
  for (const [path, text] of Object.entries(there)) expect(read(path)).toBe(text);
});
