// A disk that fills up while the factory works: it says so, loses nothing, and goes on by itself.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { isRunning, LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

const AGENT = `
: > "$HOME/started"
until [ -e "$HOME/go" ]; do sleep 0.05; done
echo done > done.txt
until git add -A && git commit -qm "Work"; do sleep 0.1; done
until printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"; do sleep 0.1; done
`;

/** A separate disk, so that filling it harms no other test; undefined where that is not allowed. */
function smallDisk(
  path = mkdtempSync("/tmp/pawl-disk-"),
): ({ path: string } & Disposable) | undefined {
  const unmount = (): void => {
    spawnSync("umount", ["-l", path]);
    rmSync(path, { recursive: true, force: true });
  };
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "pawl", path]).status === 0) {
    return { path, [Symbol.dispose]: unmount };
  }
  rmSync(path, { recursive: true });
  return undefined;
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      const block = Buffer.alloc(size, 1);
      while (wrote(file, block));
    }
  } finally {
    closeSync(file);
  }
}

function wrote(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return false;
    throw error;
  }
}

test("a full disk is said, nothing is corrupted, and work goes on when there is space", async ({
  skip,
}) => {
  using disk = smallDisk();
  if (disk === undefined) return skip("a tmpfs can only be mounted as root");
  const home = join(disk.path, "home");
  mkdirSync(home);
  await using factory = await makeFactory({
    home,
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": AGENT },
  });
  await factory.ok("issue", "add", "--title", "Survive");
  await factory.ok("up");
  const agent = await factory.until("the agent works", async () => {
    const run = await factory.runOf(1);
    return run.alive && run.pid !== null && run.doing === "working" && run;
  });
  const filler = join(disk.path, "filler");
  fill(filler);
  // Large enough to find no place in what the journal has already taken.
  factory.write({ "../body.md": "No room for this.\n".repeat(50_000) });
  const body = ["--body-file", join(factory.root, "body.md")];
  const refused = await factory.pawl("issue", "add", "--title", "No room", ...body);
  expect(refused.code, refused.stderr).toBe(1);
  expect(refused.stderr).toMatch(/full|space/);
  expect(isRunning(agent.pid ?? 0)).toBe(true);

  // The agent goes on meanwhile; what it says is taken in when there is space again.
  writeFileSync(join(factory.root, "user", "go"), "");
  const { stdout } = await factory.pawl("status");
  expect(stdout).toContain("Survive");
  rmSync(filler);
  await factory.until("the work lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(await factory.ok("issue", "add", "--title", "Room again")).toMatch(/^\d+$/);
  await factory.ok("down", "--kill-agents");
  using journal = new DatabaseSync(join(home, "pawl.db"));
  expect(journal.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

const QUICK_AGENT = `
echo done > done.txt
git add -A && git commit -qm "Work"
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

test("an agent that cannot be started because a disk is full starts when there is space, and no person is asked", async ({
  skip,
}) => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": QUICK_AGENT },
  });
  await factory.register();
  const runs = join(factory.home, "projects", factory.project, "runs");
  mkdirSync(runs, { recursive: true });
  using disk = smallDisk(runs);
  if (disk === undefined) return skip("a tmpfs can only be mounted as root");
  const filler = join(disk.path, "filler");
  fill(filler);
  await factory.ok("issue", "add", "--title", "Wait for space");
  await factory.ok("up");
  const log = join(factory.home, "daemon.log");
  await factory.until("it was tried twice", async () => {
    const tries = readFileSync(log, "utf8").match(/^.*ENOSPC: no space left.*$/gm);
    return (tries?.length ?? 0) >= 2;
  });
  expect((await factory.status()).waits.filter((wait) => wait.needs_you)).toEqual([]);
  rmSync(filler);
  await factory.until("the work lands", async () => (await factory.runOf(1)).outcome === "landed");
  await factory.ok("down", "--kill-agents");
});

test("a daemon that cannot note what it does does it all the same", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": QUICK_AGENT },
  });
  await factory.register();
  mkdirSync(join(factory.home, "death-note.json.under-way"));
  await factory.ok("issue", "add", "--title", "Work without notes");
  await factory.ok("up");
  await factory.until("the work lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(factory.subjects()).toContain("Work");
});
