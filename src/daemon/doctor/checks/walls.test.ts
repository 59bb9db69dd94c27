import { expect, test } from "vitest";
import type { Inspection } from "../inspection.ts";
import { wallsCheck } from "./walls.ts";

/** On a machine where walls can be built. */
function troublesOf(
  runtime: string,
  isolation: object | undefined,
  { limits = [], command = [] }: { limits?: string[]; command?: string[] } = {},
) {
  const project = { name: "app", root: "/app", config: { agent: { runtime, command }, isolation } };
  return wallsCheck.run({
    committed: async () => [project],
    ports: { walls: { probe: async () => [], limits: async () => limits } },
    paths: {
      home: "/pawl",
      runtime: "/run/pawl",
      hub: () => "/pawl/hub",
      journal: "/pawl/pawl.db",
      lock: "/pawl/lock.db",
      socket: "/run/pawl/daemon.sock",
      tmux: "/run/pawl/tmux.sock",
    },
  } as unknown as Inspection);
}

const WALLS = { mode: "bwrap", network: "open", hosts: [], read: [], write: [], devices: [] };

test("walls are suggested only around agents that find their login inside", async () => {
  expect(await troublesOf("claude", undefined)).toMatchObject([
    { hint: expect.stringContaining('mode = "bwrap"'), isNote: true },
  ]);
  const [other] = await troublesOf("acp", undefined);
  expect(other?.hint).toContain('mode = "none"');
  expect(other?.hint).not.toContain("bwrap");
});

test("walls around an agent that does not find its login inside are noted", async () => {
  expect(await troublesOf("acp", WALLS)).toMatchObject([
    { what: expect.stringContaining("does not find its login"), isNote: true },
  ]);
  expect(await troublesOf("acp", { ...WALLS, write: ["~/.agent"] })).toEqual([]);
  for (const runtime of ["claude", "codex", "opencode", "script", "command"]) {
    expect(await troublesOf(runtime, WALLS)).toEqual([]);
  }
});

test("a file that the agent's command names and the walls hide is found", async () => {
  expect(await troublesOf("command", WALLS, { command: ["sh", "/tmp/agent.sh"] })).toMatchObject([
    { what: expect.stringContaining("/tmp/agent.sh, which agents do not see inside the walls") },
  ]);
  const read = { ...WALLS, read: ["/tmp/agent.sh"] };
  expect(await troublesOf("command", read, { command: ["sh", "/tmp/agent.sh"] })).toEqual([]);
});

test("limits are listed with what holds them", async () => {
  const held = ["512 MB of memory for each process (prlimit)", "50 processes (prlimit)"];
  expect(await troublesOf("script", WALLS, { limits: held })).toMatchObject([
    {
      what: "app: agents have at most 512 MB of memory for each process (prlimit), 50 processes (prlimit)",
      isNote: true,
    },
  ]);
});
