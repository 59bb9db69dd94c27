import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noCrash } from "../../lib/crash-point.ts";
import { createSessionFiles } from "./session-files.ts";

const files = createSessionFiles({ crash: noCrash });
let root: string;
let dir: { path: string };
const prepare = (prompt: string) => files.prepare({ dir, prompt, phaseLink: join(root, "link") });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-files-"));
  dir = { path: join(root, "runs", "r", "1") };
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("a prepared folder is private, complete and unwritten, and preparing again changes nothing", async () => {
  expect(await prepare("do it")).toEqual({ phaseLink: "linked" });
  expect((await stat(dir.path)).mode & 0o777).toBe(0o700);
  await writeFile(join(dir.path, "phase"), "PHASE:done");
  await prepare("do it");
  expect(await readFile(join(dir.path, "prompt.md"), "utf8")).toBe("do it");
  expect((await files.read(dir)).phase?.text).toBe("PHASE:done");
});

test("a prompt of 20 MB is written whole", async () => {
  await prepare("é".repeat(10 * 1024 * 1024));
  expect((await stat(join(dir.path, "prompt.md"))).size).toBe(20 * 1024 * 1024);
});

for (const point of ["folders", "prompt"]) {
  test(`a preparation cut short at ${point} is carried on`, async () => {
    const crashing = createSessionFiles({
      crash: (name) => {
        if (name === `session-files.prepare.${point}`) throw new Error("cut short");
      },
    });
    const request = { dir, prompt: "p", phaseLink: join(root, "link") };
    await expect(crashing.prepare(request)).rejects.toThrow("cut short");
    expect(await prepare("p")).toEqual({ phaseLink: "linked" });
  });
}

for (const [point, outcome] of [
  ["written", "delivered"],
  ["linked", "already"],
] as const) {
  test(`a delivery cut short at ${point} is ${outcome} the next time, once`, async () => {
    await prepare("");
    const crashing = createSessionFiles({
      crash: (name) => {
        if (name === `session-files.deliver.${point}`) throw new Error("cut short");
      },
    });
    const message = { dir, id: "m1", text: "text" };
    await expect(crashing.deliver(message)).rejects.toThrow("cut short");
    expect(await files.deliver(message)).toBe(outcome);
    expect(await readFile(join(dir.path, "inbox/new/m1.md"), "utf8")).toBe("text");
  });
}

test("phase and spool files are read up to their limits", async () => {
  await prepare("");
  await writeFile(join(dir.path, "phase"), "x".repeat(10_000));
  await writeFile(join(dir.path, "spool/new/big"), "x".repeat(300 * 1024));
  const { phase, spool } = await files.read(dir);
  expect(phase?.text).toHaveLength(4 * 1024);
  expect(spool[0]?.text).toHaveLength(256 * 1024);
});

test("a result file is read with the phase, up to its limit, and never through a link", async () => {
  await prepare("");
  const result = join(dir.path, "result.json");
  await writeFile(result, "{}");
  expect((await files.read(dir)).phase).toBeUndefined();
  await writeFile(join(dir.path, "phase"), "PHASE:done");
  expect((await files.read(dir)).phase?.result).toEqual({ kind: "text", text: "{}" });
  await writeFile(result, "x".repeat(128 * 1024 + 1));
  expect((await files.read(dir)).phase?.result).toMatchObject({ kind: "too-large" });
  await rm(result);
  await symlink(join(dir.path, "prompt.md"), result);
  expect((await files.read(dir)).phase).not.toHaveProperty("result");
});

test("a folder that is not there reads as empty, and a record that makes no sense as absent", async () => {
  const empty = {
    phase: undefined,
    spool: [],
    acknowledged: [],
    exit: undefined,
    process: undefined,
  };
  expect(await files.read(dir)).toEqual(empty);
  await prepare("");
  await writeFile(join(dir.path, "exit.json"), "{");
  await writeFile(join(dir.path, "process"), "wrapper 1 1\n");
  expect(await files.read(dir)).toEqual(empty);
});
