// Files that an agent can turn into anything: reading them never waits, and takes only regular ones.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  copyUntrusted,
  makeAppendable,
  openUntrusted,
  readUntrusted,
  statUntrusted,
} from "../../src/adapters/shared/untrusted-file.ts";

function scratch(): string {
  const root = mkdtempSync("/tmp/pawl-untrusted-");
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

const ODD: Record<string, (path: string) => Promise<void> | void> = {
  "a FIFO": (path) => {
    execFileSync("mkfifo", [path]);
  },
  "a folder": (path) => {
    mkdirSync(path);
  },
  "a link to a file": (path) => {
    writeFileSync(`${path}.target`, "secret");
    symlinkSync(`${path}.target`, path);
  },
  "a link to a FIFO": (path) => {
    execFileSync("mkfifo", [`${path}.target`]);
    symlinkSync(`${path}.target`, path);
  },
  "a link to itself": (path) => symlinkSync(path, path),
  "a device": (path) => symlinkSync("/dev/tty", path),
  "a socket": (path) =>
    new Promise<void>((resolve) => {
      const server = createServer().listen(path, resolve);
      onTestFinished(() => void server.close());
    }),
  nothing: () => undefined,
};

test.each(Object.keys(ODD))("%s is no file, and is never waited for", async (kind) => {
  const path = join(scratch(), "odd");
  await ODD[kind]?.(path);
  expect(await openUntrusted(path)).toBeUndefined();
  expect(await readUntrusted(path, 100)).toBeUndefined();
  expect(await copyUntrusted({ from: path, to: `${path}.copy`, maxBytes: 100 })).toBe(false);
  // The one that follows links: git does too, and a link to a file holds nothing up.
  expect((await statUntrusted(path)) !== undefined).toBe(kind === "a link to a file");
});

test.each(Object.keys(ODD))("a log is made in the place of %s", async (kind) => {
  const path = join(scratch(), "pane.log");
  await ODD[kind]?.(path);
  await makeAppendable(path);
  expect(statSync(path).isFile()).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "one\n", { flag: "a" });
  await makeAppendable(path);
  expect(readFileSync(path, "utf8")).toBe("one\n");
});

test("a regular file is read up to the bound, and copied only where it is within it", async () => {
  const path = join(scratch(), "file");
  writeFileSync(path, "0123456789");
  expect(await readUntrusted(path, 4)).toBe("0123");
  expect(await readUntrusted(path, 100)).toBe("0123456789");
  expect(await copyUntrusted({ from: path, to: `${path}.copy`, maxBytes: 9 })).toBe(false);
  expect(await copyUntrusted({ from: path, to: `${path}.copy`, maxBytes: 10 })).toBe(true);
  expect(readFileSync(`${path}.copy`, "utf8")).toBe("0123456789");
});
