// `[home] max_gb` in factory.toml: room is made of what is over or can be rebuilt, and never of work.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { DoctorView } from "../../src/api/doctor.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";

/** The first issue lands; a later one leaves work that has not landed, and asks. */
const AGENT = `
if [ -e landed.txt ]; then
  echo precious > unlanded.txt
  printf 'PHASE:escalate\\nReason: which colour?\\n' > "$PAWL_PHASE_FILE"
  exec sleep 3600
fi
echo done > landed.txt
git add -A && git commit -qm Landed
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

const MB = 1_000_000;
const DAY_MS = 86_400_000;

const usedBytes = ({ sizes = [] }: DoctorView): number =>
  sizes.reduce((sum, { bytes }) => sum + bytes, 0);

async function examined(factory: Factory, ...words: string[]): Promise<DoctorView> {
  const { stdout } = await factory.pawl("doctor", "--json", ...words);
  return JSON.parse(stdout) as DoctorView;
}

const FAULT = { check: "home" };

const homeTroubles = ({ checks }: DoctorView) =>
  checks.find(({ id }) => id === FAULT.check)?.troubles ?? [];

function put(path: string, megabytes: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(megabytes * MB, 1));
}

/** Checkpoints of landed work as they are two days after the landing. */
function ageLanded(factory: Factory, hub: string): string {
  const refs = factory.gitIn(hub, "for-each-ref", "--format=%(refname)", "refs/pawl/landed/");
  const [ref = ""] = refs.split("\n");
  const [, name = "", at = ""] = /^(.*\/)(\d+)$/.exec(ref) ?? [];
  const older = `${name}${Number(at) - 2 * DAY_MS}`;
  factory.gitIn(hub, "update-ref", older, ref);
  factory.gitIn(hub, "update-ref", "-d", ref);
  return older;
}

const bound = (factory: Factory, bytes: number): void =>
  writeFileSync(join(factory.home, "factory.toml"), `[home]\nmax_gb = ${bytes / 1e9}\n`);

test("PAWL_HOME is brought within its bound, also after a kill in the middle, and no work is lost", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": AGENT },
  });
  await factory.ok("issue", "add", "--title", "Land this");
  await factory.ok("up");
  await factory.until("the first issue has landed", async () =>
    factory.subjects().includes("Landed"),
  );
  await factory.until("its run is over", async () => {
    const { runs } = await factory.status();
    return runs.every(({ stage }) => stage === "ended");
  });
  // The first one's PR has a number too.
  const second = Number(await factory.ok("issue", "add", "--title", "Ask about this"));
  const asking = await factory.until("the second agent asks, and its work is saved", async () => {
    const { runs } = await factory.status();
    const run = runs.find(({ issue, stage }) => issue === second && stage === "escalated");
    return (
      run !== undefined && (await factory.ok("checkpoint", "list", String(second))) !== "" && run
    );
  });
  await factory.ok("down");
  const own = join(factory.home, "projects", factory.project);
  const landed = ageLanded(factory, join(own, "hub.git"));
  const log = join(own, "runs", "1.1", "pane.log");
  const cache = join(own, "cache", "ci", "checkouts", "0", "build.o");
  put(log, 20);
  put(cache, 20);
  bound(factory, usedBytes(await examined(factory)) - 30 * MB);

  const before = await examined(factory);
  expect(before.max_bytes).toBeGreaterThan(0);
  expect(homeTroubles(before)).toMatchObject([
    { what: expect.stringContaining("caches") as string },
  ]);

  factory.env["PAWL_CRASH_AT"] = "checkpoints.thin:after:1";
  await expect(factory.pawl("doctor", "--fix")).rejects.toThrow("did not end by itself");
  delete factory.env["PAWL_CRASH_AT"];
  expect(existsSync(log)).toBe(false);
  expect(existsSync(cache)).toBe(true);

  const after = await examined(factory, "--fix");
  expect(homeTroubles(after)).toMatchObject([{ fixed: true }]);
  expect(usedBytes(after)).toBeLessThanOrEqual(after.max_bytes ?? 0);
  expect(existsSync(cache)).toBe(false);
  expect(factory.gitIn(join(own, "hub.git"), "for-each-ref", landed)).toBe("");
  expect(readFileSync(join(asking.worktree_path ?? "", "unlanded.txt"), "utf8")).toBe("precious\n");
  expect(await factory.ok("checkpoint", "list", String(second))).not.toBe("");
  expect(factory.subjects()).toContain("Landed");
});

test("a bound that cannot be kept without losing work needs a person, and says what takes the room", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": AGENT },
  });
  await factory.register();
  bound(factory, 1000);
  await factory.ok("up");
  const needs = await factory.until("a person is told", async () => {
    const { waits } = await factory.status();
    const found = waits.filter(({ about }) => about === "disk");
    return found.length > 0 && found;
  });
  expect(needs).toMatchObject([
    { needs_you: true, why: expect.stringMatching(/takes .* factory\.toml allows/) as string },
  ]);
  const { stdout } = await factory.pawl("status");
  expect(stdout).toContain("factory.toml allows");
  await factory.ok("down");
  bound(factory, 1e9);
  await factory.ok("up");
  await factory.until("it needs no person any more", async () => {
    const { waits } = await factory.status();
    return waits.every(({ about }) => about !== "disk");
  });
  writeFileSync(join(factory.home, "factory.toml"), "[home]\nmaxgb = 1\n");
  expect(homeTroubles(await examined(factory))).toMatchObject([
    { what: expect.stringContaining("maxgb") as string },
  ]);
});

test("upkeep that fails is logged, and keeps no other upkeep from being done", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": AGENT },
  });
  await factory.register();
  bound(factory, 1000);
  // No backup can be made: a file is in the way.
  writeFileSync(join(factory.home, "backups"), "");
  await factory.ok("up");
  await factory.until("the limit is looked at all the same", async () => {
    const { waits } = await factory.status();
    return waits.some(({ about }) => about === "disk");
  });
  const log = readFileSync(join(factory.home, "daemon.log"), "utf8");
  expect(log).toMatch(/EEXIST.*backups.*"msg":"cannot back up the journal"/);
});
