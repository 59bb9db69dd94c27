import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeObject } from "./write-object.ts";

vi.mock("node:fs/promises", { spy: true });

const COMMIT = { kind: "commit", text: "text", like: "0".repeat(40) } as const;

function makeHub(): string {
  const hub = mkdtempSync(join(tmpdir(), "pawl-hub-"));
  onTestFinished(() => rmSync(hub, { recursive: true, force: true }));
  mkdirSync(join(hub, "objects"));
  return hub;
}

test("a folder that packing removes before its first file is there is made again", async () => {
  const hub = makeHub();
  vi.mocked(mkdir).mockImplementationOnce(async (folder) => {
    mkdirSync(folder);
    rmdirSync(folder);
    return undefined;
  });
  const id = await writeObject({ hub }, COMMIT);
  expect(readdirSync(join(hub, "objects", id.slice(0, 2)))).toEqual([id.slice(2)]);
});

test("an object that is there already is written again", async () => {
  const hub = makeHub();
  expect(await writeObject({ hub }, COMMIT)).toBe(await writeObject({ hub }, COMMIT));
});

test("a hub that was removed is not made, and the same may succeed later", async () => {
  const hub = makeHub();
  rmSync(hub, { recursive: true });
  const failure = { code: "object-not-written", retryable: true };
  await expect(writeObject({ hub }, COMMIT)).rejects.toMatchObject(failure);
  expect(existsSync(hub)).toBe(false);
});
