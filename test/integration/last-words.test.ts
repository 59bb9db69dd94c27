// The last words of an agent reach its log, however soon after them its session is gone.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTerminal } from "../../src/adapters/terminal-tmux/terminal.ts";
import { exited, makeWorld } from "../support/terminal-world.ts";
import type { World } from "../support/terminal-world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** More than the pipe to the log holds, so that tmux still has most of it. */
const LAST_WORDS = `head -c 20000000 /dev/zero | tr '\\0' x; echo "last words"`;

/** The only child of the server that is not on a terminal. */
function logWriter(): number {
  const server = world.tmux("display-message", "-p", "#{pid}").trim();
  const children = execFileSync("ps", ["-o", "pid=,comm=", "--ppid", server], { encoding: "utf8" });
  const found = /^ *(\d+) cat$/m.exec(children);
  if (found === null) throw new Error(`no cat among the children of tmux: ${children}`);
  return Number(found[1]);
}

test("an agent that says its last words when it is ended has them in its log, also where that is written slowly", async () => {
  const script = `trap '${LAST_WORDS.replaceAll("'", `'"'"'`)}; exit 0' TERM; echo ready; while :; do sleep 1; done`;
  const { spawned, marks, logFile } = await world.start({ run: "ended", script });
  await expect.poll(() => readFileSync(logFile, "utf8")).toContain("ready");
  const writer = logWriter();
  // The log stands still while the agent speaks, and goes on just before the session is ended.
  process.kill(writer, "SIGSTOP");
  const crash = async (name: string): Promise<void> => {
    if (name === "terminal.end.agent") process.kill(writer, "SIGCONT");
  };
  const terminal = createTerminal({ socket: world.socket, crash });
  await terminal.end({ ...spawned, marks, graceMs: 60_000 });
  expect(readFileSync(logFile, "utf8").slice(-100)).toContain("last words");
});

test("the end of a life is no error where its session, the server's last, ends by itself meanwhile", async () => {
  for (let round = 0; round < 10; round += 1) {
    const life = await world.start({ run: `meanwhile-${round}`, script: "exit 0" });
    await exited(world.files, life.dir);
    await world.end(life);
    expect(await world.terminal.panes()).toEqual([]);
  }
});
