// Work that cannot be saved keeps its workspace, and a restore stays inside it: through the commands
// that a person types.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckpointView } from "../../src/api/checkpoints.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

const LANDS_WITH_A_HUGE_FILE = `
truncate -s "$SIZE" huge.bin
echo done > done.txt; git add done.txt; git commit -qm "Do it"
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

test.each([
  ["the limit", 300, ""],
  ["a limit of the user's", 2, "[checkpoints]\nfile_mb = 1\n"],
])(
  "a workspace with a file over %s stays after the landing, until a person has decided",
  async (_, mb, more) => {
    await using factory = await makeFactory({ files: { "agent.sh": LANDS_WITH_A_HUGE_FILE } });
    const agent = shellAgent(`env = { SIZE = "${mb}M" }\n`);
    factory.commit(
      { "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}${more}`) },
      "Configure",
    );
    await factory.addIssue({ title: "One" });
    await factory.ok("up");
    const run = await factory.until("it has landed and is cleared away", async () => {
      const now = await factory.runOf(1);
      return now.outcome === "landed" && now.stage === "ended" && now;
    });
    const huge = join(run.worktree_path, "huge.bin");
    expect(lstatSync(huge).size).toBe(mb * 1024 * 1024);
    expect(await factory.ok("checkpoint", "show", "1")).toContain("huge.bin");
    const found = await factory.pawl("doctor");
    expect(found.stdout + found.stderr).toContain(run.worktree_path);
    const isListed = async (...args: string[]): Promise<boolean> =>
      (await factory.ok(...args)).includes("The workspace of dev-1 was not removed");
    expect(await isListed("escalation", "list")).toBe(true);
    expect(await isListed("escalation", "show", "1")).toBe(true);
    expect(await isListed("status")).toBe(true);
    const refused = await factory.pawl("doctor", "--fix");
    expect(refused.stdout + refused.stderr).toContain("huge.bin");
    expect(existsSync(huge)).toBe(true);
    rmSync(huge);
    await factory.pawl("doctor", "--fix");
    expect(existsSync(run.worktree_path)).toBe(false);
    expect(await isListed("escalation", "list")).toBe(false);
    expect(await isListed("status")).toBe(false);
  },
);

const REPLACES_A_LINK = `
ln -s "$PRECIOUS" data
: > "$SEEN/linked"
until [ -e "$SEEN/go" ]; do sleep 0.05; done
rm data; mkdir -p data; echo mine > data/a.txt
: > "$SEEN/replaced"
while :; do sleep 0.1; done
`;

test("restoring a checkpoint in which a folder was a link touches nothing behind the link", async () => {
  await using factory = await makeFactory({ files: { "agent.sh": REPLACES_A_LINK } });
  const precious = join(factory.root, "precious");
  mkdirSync(precious);
  writeFileSync(join(precious, "a.txt"), "precious\n");
  const agent = shellAgent(`env = { SEEN = "${factory.root}", PRECIOUS = "${precious}" }\n`);
  factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}`) }, "Configure");
  await factory.addIssue({ title: "One" });
  await factory.ok("up");
  const list = async (): Promise<CheckpointView[]> =>
    JSON.parse(await factory.ok("checkpoint", "list", "1", "--json")) as CheckpointView[];
  const changes = async (number: number): Promise<string> =>
    factory.ok("checkpoint", "show", "1", String(number));
  const linked = await factory.until("the link is saved", async () => {
    const [newest] = await list();
    return newest !== undefined && (await changes(newest.number)).includes("A data") && newest;
  });
  writeFileSync(join(factory.root, "go"), "");
  await factory.until("the folder is saved", async () => {
    const [newest] = await list();
    return newest !== undefined && (await changes(newest.number)).includes("data/a.txt");
  });
  await factory.ok("stop", "1");
  const run = await factory.until("it has ended", async () => {
    const now = await factory.runOf(1);
    return !now.alive && now;
  });
  await factory.ok("checkpoint", "restore", "1", String(linked.number), "--into-workspace");
  expect(lstatSync(join(run.worktree_path, "data")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(precious, "a.txt"), "utf8")).toBe("precious\n");
});
