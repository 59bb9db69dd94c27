import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";

/** So many appends and renames fail from now on, an append after a part of its line was written. */
const broken = vi.hoisted(() => ({ left: 0, code: "" }));
const failure = vi.hoisted(() => (): Error | undefined => {
  if (broken.left === 0) return undefined;
  broken.left -= 1;
  return Object.assign(new Error(`${broken.code}: write`), { code: broken.code });
});

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof files>();
  const open = async (...args: Parameters<typeof real.open>) => {
    const handle = await real.open(...args);
    const append = handle.appendFile.bind(handle);
    handle.appendFile = async (text) => {
      const error = failure();
      await append(error === undefined ? text : (text as string).slice(0, 9));
      if (error !== undefined) throw error;
    };
    return handle;
  };
  const rename = async (...args: Parameters<typeof real.rename>) => {
    const error = failure();
    if (error !== undefined) throw error;
    await real.rename(...args);
  };
  return { ...real, open, rename };
});

// Another test of this process may have loaded them already, without the mock.
vi.resetModules();
const { Deliveries, endedIn, uncertainIn } = await import("./deliveries.ts");
const { listInbox, take, takenFile } = await import("./inbox.ts");

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "pawl-deliveries-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

const PROMPT = { id: "prompt", file: "/prompt.md" };
const MESSAGE = { id: "m1", file: "/m1.md" };

test.each(["ENOSPC", "EDQUOT", "EIO"])(
  "no line is lost to %s: it is written again, in a line of its own and before those that follow",
  async (code) => {
    const dir = folder();
    const deliveries = await Deliveries.open(dir);
    await deliveries.note("sending", [PROMPT, MESSAGE]);
    Object.assign(broken, { left: 2, code });
    await Promise.all([
      deliveries.note("accepted", [PROMPT, MESSAGE]),
      deliveries.note("ended", [PROMPT]),
    ]);
    await deliveries.close();
    expect(await uncertainIn(dir)).toEqual([{ ...MESSAGE, accepted: true }]);
    expect(await endedIn(dir)).toEqual([PROMPT]);
  },
);

test("a record that cannot be written for good is an error", async () => {
  const deliveries = await Deliveries.open(folder());
  Object.assign(broken, { left: 1, code: "EROFS" });
  await expect(deliveries.note("sending", [PROMPT])).rejects.toThrow("EROFS");
  await deliveries.close();
});

test("a message is taken once there is room", async () => {
  const dir = folder();
  for (const name of ["new", "cur"]) mkdirSync(join(dir, "inbox", name), { recursive: true });
  writeFileSync(join(dir, "inbox", "new", "m1.md"), "Id: m1\n");
  Object.assign(broken, { left: 2, code: "ENOSPC" });
  for (const letter of await listInbox(dir)) await take(dir, letter);
  expect(readFileSync(takenFile(dir, "m1"), "utf8")).toBe("Id: m1\n");
});
