// kill -9 of every part of a session, while its agent has done everything at once: a successor
// starts, knows where the work stands, and finds every byte.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunView } from "../../src/api/runs.ts";
import { isRunning } from "../support/pawl.ts";
import {
  contentOf,
  groupOf,
  lifeOf,
  stateOf,
  untidyFactory,
  type UntidyFactory,
} from "../support/untidy-agent.ts";

const SKIPPED = process.getuid?.() === 0 ? ["huge.bin"] : ["closed.txt", "huge.bin"];

type Kill = (factory: UntidyFactory, run: RunView) => void | Promise<void>;

const tmux = (factory: UntidyFactory, ...args: string[]): string =>
  execFileSync("tmux", ["-S", factory.socket, ...args], { encoding: "utf8" }).trim();

const killServer: Kill = (factory) => {
  process.kill(Number(tmux(factory, "display-message", "-p", "#{pid}")), "SIGKILL");
};

/** The keeper first, because it would start another daemon at once. */
async function killDaemon(factory: UntidyFactory): Promise<void> {
  const daemon = (await factory.status()).daemon?.pid ?? 0;
  const keepers = factory.leftovers().filter((line) => line.includes("keeper.sh"));
  for (const line of keepers) process.kill(Number(line.split(" ", 1)[0]), "SIGKILL");
  process.kill(daemon, "SIGKILL");
  await factory.until("the daemon is gone", async () => !isRunning(daemon));
}

const KILLS: Record<string, Kill> = {
  "the agent": (_, run) => void process.kill(lifeOf(run).agent, "SIGKILL"),
  "its process group": (_, run) => void process.kill(-groupOf(lifeOf(run).agent), "SIGKILL"),
  "the wrapper": (_, run) => void process.kill(lifeOf(run).wrapper, "SIGKILL"),
  "the tmux session": (factory, run) =>
    void tmux(factory, "kill-session", "-t", `=${run.tmux_session}`),
  "the tmux server": killServer,
  "all at once": async (factory, run) => {
    const group = groupOf(lifeOf(run).agent);
    await killDaemon(factory);
    await killServer(factory, run);
    // The server's end may have been quicker.
    spawnSync("kill", ["-KILL", "--", `-${group}`]);
    await factory.ok("up");
  },
};

test.each(Object.keys(KILLS))("kill -9 of %s loses nothing", async (what) => {
  await using factory = await untidyFactory();
  await factory.ok("up");
  const run = await factory.untidy();
  const before = { content: contentOf(run.worktree_path), state: stateOf(run.worktree_path) };
  await KILLS[what]?.(factory, run);
  const prompt = await factory.successor();

  expect(prompt).toContain("You are a continuation of dev-1-1@");
  expect(prompt).toMatch(/Resume from phase: .*, last working on: .*Half of the work/);
  expect(prompt).toContain("The last phase it wrote: PHASE:awaiting_ci.");
  expect(prompt).toContain("CI failed");
  expect(prompt).toContain("un/tracked/file.bin");
  expect(contentOf(run.worktree_path)).toEqual(before.content);
  expect(stateOf(run.worktree_path)).toBe(before.state);
  await factory.until(
    "the child in another session is gone",
    async () => !isRunning(factory.child()),
  );

  // The same from the checkpoint alone, as after the loss of the workspace.
  const place = join(factory.root, "restored");
  await factory.ok("checkpoint", "restore", "1", "--to", place);
  // What could not be saved is said; what has no content is no loss.
  const unsaved = new Set(["pipe", "huge.bin", "closed.txt"]);
  const savedOf = (content: Record<string, string>): [string, string][] =>
    Object.entries(content).filter(([path]) => !unsaved.has(path));
  expect(savedOf(contentOf(place))).toEqual(savedOf(before.content));
  const shown = await factory.ok("checkpoint", "show", "1", "--json");
  expect(JSON.parse(shown)).toMatchObject({ branch: run.branch, skipped: SKIPPED });
});

test("kill -9 of the daemon leaves the agent at work, and the next daemon adopts it", async () => {
  await using factory = await untidyFactory();
  await factory.ok("up");
  const run = await factory.untidy();
  const before = contentOf(run.worktree_path);
  await killDaemon(factory);
  expect(isRunning(lifeOf(run).agent)).toBe(true);
  await factory.ok("up");
  const adopted = await factory.runOf(1);
  expect({ epoch: adopted.epoch, pid: adopted.pid }).toEqual({ epoch: 1, pid: run.pid });
  expect(contentOf(run.worktree_path)).toEqual(before);
  expect(isRunning(factory.child())).toBe(true);
});
