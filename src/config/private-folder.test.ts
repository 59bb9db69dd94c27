import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkPrivate, isOwnSocket, usePrivate } from "./private-folder.ts";

const UID = process.getuid?.() ?? 0;
const ANOTHER = UID + 1;

function scratch(): string {
  const root = mkdtempSync("/tmp/pawl-private-");
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function made(modes: { parent: number; own: number }): string {
  const folder = join(scratch(), "pawl", "factory");
  mkdirSync(folder, { recursive: true });
  chmodSync(join(folder, ".."), modes.parent);
  chmodSync(folder, modes.own);
  return folder;
}

const unsafe = (message: string) =>
  expect.objectContaining({ code: "unsafe-runtime", message: expect.stringContaining(message) });

test("a folder that is missing is made for this user alone", () => {
  const folder = join(scratch(), "pawl", "factory");
  expect(() => checkPrivate(folder)).not.toThrow();
  usePrivate(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "..")).mode & 0o777).toBe(0o700);
});

test("a folder of our own that is open to others is closed before it is used", () => {
  const folder = made({ parent: 0o777, own: 0o755 });
  usePrivate(folder);
  expect(statSync(join(folder, "..")).mode & 0o777).toBe(0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a folder that another user made first is refused, by the daemon and by the client", () => {
  const folder = made({ parent: 0o777, own: 0o700 });
  const refused = unsafe(`it belongs to user ${UID}, you are ${ANOTHER}`);
  expect(() => usePrivate(folder, ANOTHER)).toThrow(refused);
  expect(() => checkPrivate(folder, ANOTHER)).toThrow(refused);
});

test.each([
  ["the folder above", { parent: 0o777, own: 0o700 }],
  ["the folder", { parent: 0o700, own: 0o770 }],
])("a client does not use a folder where others can write: %s", (_which, modes) => {
  expect(() => checkPrivate(made(modes))).toThrow(unsafe("others can write to it"));
});

test("a link in place of the folder is refused", () => {
  const root = scratch();
  mkdirSync(join(root, "elsewhere", "factory"), { recursive: true, mode: 0o700 });
  symlinkSync(join(root, "elsewhere"), join(root, "pawl"));
  expect(() => checkPrivate(join(root, "pawl", "factory"))).toThrow(unsafe("it is not a folder"));
});

test("a folder further up where everyone can rename is refused, unless it is sticky", () => {
  const folder = made({ parent: 0o700, own: 0o700 });
  const above = join(folder, "../..");
  chmodSync(above, 0o777);
  expect(() => checkPrivate(folder)).toThrow(unsafe("everyone can replace what is in it"));
  chmodSync(above, 0o1777);
  expect(() => checkPrivate(folder)).not.toThrow();
});

test("only a socket that this user has bound is spoken to", async () => {
  const path = join(scratch(), "daemon.sock");
  expect(isOwnSocket(path)).toBe(false);
  mkdirSync(path);
  expect(isOwnSocket(path)).toBe(false);
  rmSync(path, { recursive: true });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  expect(isOwnSocket(path)).toBe(true);
  expect(isOwnSocket(path, ANOTHER)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
});
