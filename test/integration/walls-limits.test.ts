// What the limits of [isolation] hold: a fork bomb and a file that grows, both small. As root the number
// of processes cannot be limited without systemd, and that is an error; scripts/test.ts runs this file a
// second time as an ordinary user.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { createBwrapWalls } from "../../src/adapters/walls-bwrap/bwrap-walls.ts";
import { thisMachine } from "../../src/adapters/walls-bwrap/hold-limits.ts";
import type { RoomLimits } from "../../src/core/config.ts";
import type { Room } from "../../src/ports/walls.ts";
import { noWalls } from "../support/walls.ts";

const place = mkdtempSync(join(tmpdir(), "pawl-limits-"));
afterAll(() => rmSync(place, { recursive: true }));
const { systemd, isRoot } = thisMachine();
const PATH = process.env["PATH"] ?? "";

function roomWith(limits: RoomLimits): Room {
  const cwd = mkdtempSync(join(place, "room-"));
  const home = join(cwd, "home");
  mkdirSync(home);
  const isolation = { mode: "bwrap", network: "none" } as const;
  const more = { hosts: [], read: [], write: [], devices: [], tmpMb: 16, limits };
  const env = { PATH, HOME: home };
  return {
    isolation: { ...isolation, ...more },
    read: [],
    hidden: [],
    masked: [],
    cwd,
    env,
    write: [],
  };
}

async function runInside(room: Room, script: string) {
  const [program, ...words] = await createBwrapWalls().around(room, ["sh", "-c", script]);
  const { cwd, env } = room;
  return spawnSync(program, words, { cwd, env, encoding: "utf8", timeout: 60_000 });
}

/** Doubles itself six times, 127 processes, and tells of each that could not be started. */
const BOMB = `bomb() { [ "$1" -gt 5 ] || { bomb $(($1 + 1)) & bomb $(($1 + 1)) & }; sleep 1; }
bomb 0`;
const REFUSED = /Cannot fork|Resource temporarily unavailable/;

test.skipIf(noWalls || isRoot || systemd !== undefined)(
  "a fork bomb stops at the limit of processes, and ends with its session",
  async () => {
    const room = roomWith({ processes: 20 });
    expect(await createBwrapWalls().probe(room)).toContain("20 processes (prlimit)");
    expect((await runInside(room, BOMB)).stderr).toMatch(REFUSED);
    const free = await runInside(roomWith({ processes: 500 }), BOMB);
    expect(free.stderr).not.toMatch(REFUSED);
  },
);

test.skipIf(noWalls || !isRoot || systemd !== undefined)(
  "as root without systemd a limit of processes is an error, and nothing starts",
  async () => {
    const room = roomWith({ processes: 20 });
    await expect(createBwrapWalls().probe(room)).rejects.toThrow(/root is exempt from it/);
    await expect(createBwrapWalls().around(room, ["true"])).rejects.toThrow(/cannot be enforced/);
  },
);

test.skipIf(noWalls)("a file does not grow beyond its limit", async () => {
  const room = roomWith({ fileMb: 1 });
  expect(await createBwrapWalls().probe(room)).toContain("1 MB for each file (prlimit)");
  const fill = await runInside(room, "dd if=/dev/zero of=big bs=64k count=64");
  expect(fill.status).not.toBe(0);
  expect(statSync(join(room.cwd, "big")).size).toBe(1024 * 1024);
});

test.skipIf(noWalls || systemd !== undefined)(
  "a process does not take more memory than its limit, and cannot raise it",
  async () => {
    const room = roomWith({ memoryMb: 64 });
    const take = "head -c 100000000 /dev/zero | tail -c 90000000 | wc -c";
    expect((await runInside(room, take)).stdout.trim()).toBe("0");
    const raise = await runInside(room, `prlimit --data=unlimited:unlimited -- sh -c '${take}'`);
    expect(raise.stdout.trim()).toBe("");
    expect((await runInside(roomWith({}), take)).stdout.trim()).toBe("90000000");
  },
);

test("a scope that does not hold a limit starts nothing", () => {
  const script = join(import.meta.dirname, "../../src/adapters/walls-bwrap/limits-held.sh");
  const cgroups = mkdtempSync(join(place, "cgroups-"));
  const own = spawnSync("sed", ["-n", "s/^0:://p", "/proc/self/cgroup"], { encoding: "utf8" });
  const folder = join(cgroups, own.stdout.trim());
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pids.max"), "50\n");
  const tried = (wanted: string) =>
    spawnSync("sh", [script, cgroups, wanted, "--", "echo", "started"], { encoding: "utf8" });
  expect(tried("pids.max=50").stdout).toBe("started\n");
  for (const wanted of ["pids.max=20", "memory.max=1048576"]) {
    const { status, stdout, stderr } = tried(wanted);
    expect([status, stdout]).toEqual([126, ""]);
    expect(stderr).toContain("cannot hold a limit of [isolation]");
  }
});
