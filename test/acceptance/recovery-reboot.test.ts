// The machine goes down and comes up again; a workspace or half of one is deleted by hand. Work is
// taken up where it stood, and nothing counts as completed that was not.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning, LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";
import { contentOf, lifeOf, stateOf, untidyFactory } from "../support/untidy-agent.ts";

type Untidy = Awaited<ReturnType<typeof untidyFactory>>;

/** Everything of this factory ends, /tmp and the runtime folder are empty, the disk is as it was. */
async function reboot(factory: Untidy): Promise<void> {
  const pids = (): number[] => factory.leftovers().map((line) => Number(line.split(" ", 1)[0]));
  for (let round = 0; round < 50 && pids().length > 0; round += 1) {
    spawnSync("kill", ["-KILL", ...pids().map(String)]);
  }
  await factory.until("nothing runs", async () => pids().length === 0);
  rmSync(join(factory.root, "run"), { recursive: true, force: true });
  rmSync(join(factory.root, "tmp"), { recursive: true, force: true });
  execFileSync("mkdir", [join(factory.root, "run"), join(factory.root, "tmp")]);
  for (const name of readdirSync("/tmp").filter((one) => one.includes(factory.project))) {
    rmSync(join("/tmp", name), { force: true });
  }
}

test("defect 1: after a reboot a dead agent is resumed, not completed, and no file of it is gone", async () => {
  await using factory = await untidyFactory();
  await factory.ok("up");
  const run = await factory.untidy();
  const before = { content: contentOf(run.worktree_path), state: stateOf(run.worktree_path) };
  await reboot(factory);
  await factory.ok("up");
  const prompt = await factory.successor();
  expect(prompt).toContain("Half of the work");
  expect(contentOf(run.worktree_path)).toEqual(before.content);
  expect(stateOf(run.worktree_path)).toBe(before.state);
  const agents = JSON.parse(await factory.ok("agents", "--include-ended", "--json")) as {
    status: string;
  }[];
  expect(agents.map(({ status }) => status)).not.toContain("terminated");
  expect(await factory.runOf(1)).toMatchObject({ epoch: 2, outcome: null, alive: true });

  // And it can be finished.
  writeFileSync(join(factory.root, "go"), "");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(factory.git("show", "main:crlf.txt")).toBe("one\ntwo");
  expect(factory.git("show", "main:committed.txt")).toBe("committed");
});

test("pids that belong to other processes after a reboot are ignored, and do not pass for the agent", async () => {
  await using factory = await untidyFactory();
  await factory.ok("up");
  const run = await factory.untidy();
  const { dir } = lifeOf(run);
  await reboot(factory);
  // The record of the dead life now names a process that is not its own.
  const stranger = process.pid;
  const record = execFileSync("cat", [join(dir, "process")], { encoding: "utf8" });
  writeFileSync(join(dir, "process"), record.replace(/^wrapper \d+/m, `wrapper ${stranger}`));
  await factory.ok("up");
  await factory.successor();
  expect(isRunning(stranger)).toBe(true);
});

test.each([
  ["all of it", ""],
  ["its repository", ".git"],
  ["its objects", ".git/objects"],
])("a workspace whose agent dies after %s was deleted is rebuilt", async (_, part) => {
  await using factory = await untidyFactory();
  await factory.ok("up");
  const run = await factory.untidy();
  const before = { content: contentOf(run.worktree_path), state: stateOf(run.worktree_path) };
  await factory.until("everything is saved", async () => {
    const shown = await factory.ok("checkpoint", "show", "1", "--json");
    const { changes } = JSON.parse(shown) as { changes: { path: string }[] };
    return changes.some(({ path }) => path === "closed.txt");
  });
  rmSync(join(run.worktree_path, part), { recursive: true });
  process.kill(lifeOf(run).agent, "SIGKILL");
  await factory.successor();
  const unsaved = new Set(["pipe", "huge.bin", "closed.txt"]);
  const savedOf = (content: Record<string, string>): [string, string][] =>
    Object.entries(content).filter(([path]) => !unsaved.has(path));
  expect(savedOf(contentOf(run.worktree_path))).toEqual(savedOf(before.content));
  expect(stateOf(run.worktree_path)).toBe(before.state);
});

/** Commits, and deletes all there is once that is saved. */
const DESTRUCTIVE = `
echo work > work.txt; git add -A; git commit -qm Work
until [ -e "$HOME/saved" ]; do sleep 0.05; done
rm -rf "$PWD"; cd /
echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
until [ -e "$PAWL_INBOX/new/m1.md" ]; do sleep 0.05; done
`;

test("a living agent that deletes its workspace lands what was saved of it", async () => {
  const config = `${shellAgent()}[ci]\nnone = true\n${LIMITS}`;
  await using factory = await makeFactory({ config, files: { "agent.sh": DESTRUCTIVE } });
  await factory.addIssue({ title: "One" });
  await factory.ok("up");
  await factory.until("its commit is saved", async () => {
    const { worktree_path: path, alive } = await factory.runOf(1);
    if (!alive || !existsSync(join(path, "work.txt"))) return false;
    const [subject, head] = factory.gitIn(path, "log", "-1", "--format=%s%n%H").split("\n");
    if (subject !== "Work") return false;
    const { code, stdout } = await factory.pawl("checkpoint", "show", "1", "--json");
    return code === 0 && (JSON.parse(stdout) as { head: string }).head === head;
  });
  factory.shell('touch "$HOME/saved"');
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(factory.git("show", "main:work.txt")).toBe("work");
  expect((await factory.runOf(1)).epoch).toBe(1);
});
