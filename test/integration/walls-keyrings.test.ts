// A key in the keyring of the user's login, which every process of it inherits: no program inside walls
// reads it, its name or another keyring.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { createBwrapWalls } from "../../src/adapters/walls-bwrap/bwrap-walls.ts";
import type { Room } from "../../src/ports/walls.ts";
import { KEY_CALLS } from "../support/escapes.ts";
import { noWalls } from "../support/walls.ts";

const place = mkdtempSync(join(tmpdir(), "pawl-keyrings-"));
afterAll(() => rmSync(place, { recursive: true }));

const { addKey, keyctl } = KEY_CALLS;
/** A login of its own, as `pam_keyinit` makes it, with one key; then the command. */
const LOGIN = `syscall(${keyctl}, 1, 0) > 0 or exit 77; my ($type, $name, $secret) = ("user", "pawl-test", "hunter2"); syscall(${addKey}, $type, $name, $secret, 7, -3) > 0 or exit 77; exec @ARGV`;
const READ = `my ($type, $name, $found) = ("user", "pawl-test", "\\0" x 7); my $key = syscall(${keyctl}, 10, -3, $type, $name, 0); syscall(${keyctl}, 11, $key, $found, 7) if $key > 0; print "$found\\n"`;
const LOOK = `perl -e '${READ}'; cat /proc/keys /proc/key-users`;

function room(): Room {
  const cwd = mkdtempSync(join(place, "room-"));
  const home = join(cwd, "home");
  mkdirSync(home);
  const more = { hosts: [], read: [], write: [], devices: [], tmpMb: 16 };
  return {
    isolation: { mode: "bwrap", network: "open", ...more },
    read: [],
    hidden: [],
    masked: [],
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    write: [],
  };
}

test.skipIf(noWalls)("a key of the user's login cannot be read inside walls", async ({ skip }) => {
  const { cwd, env, ...rest } = room();
  const asLoggedIn = (argv: readonly string[]) =>
    spawnSync("perl", ["-e", LOGIN, ...argv], { cwd, env, encoding: "utf8" });
  const outside = asLoggedIn(["sh", "-c", LOOK]);
  if (outside.status === 77) skip("this kernel gives this process no keyring");
  expect(outside.stdout).toContain("hunter2");
  const walls = createBwrapWalls();
  const inside = asLoggedIn(await walls.around({ ...rest, cwd, env }, ["sh", "-c", LOOK]));
  expect(inside.stdout.replaceAll("\0", "")).toBe("\n");
  expect(await walls.probe({ ...rest, cwd, env })).toContain("keyrings");
});
