// A spawn happens once, also when it is interrupted or repeated, and never touches another life.
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTerminal } from "../../src/adapters/terminal-tmux/terminal.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { SpawnRequest } from "../../src/ports/terminal.ts";
import { exited, makeWorld } from "../support/terminal-world.ts";
import type { World } from "../support/terminal-world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const COUNT = `echo x >>"$OUT/starts"; exec sleep 1000`;
const starts = (dir: string): string => readFileSync(join(dir, "starts"), "utf8");

function requestOf(run: string, script = COUNT): SpawnRequest {
  const dir = world.dirOf(run);
  return {
    name: run,
    cwd: world.root,
    argv: ["sh", "-c", script],
    env: {
      PATH: process.env["PATH"] ?? "",
      OUT: dir,
      PAWL_PROJECT: world.project,
      PAWL_RUN: run,
      PAWL_EPOCH: "1",
    },
    dir,
    logFile: join(world.root, "runs", run, "pane.log"),
    size: { columns: 80, rows: 24 },
  };
}

const prepare = (run: string) =>
  world.files.prepare({
    dir: { path: world.dirOf(run) },
    prompt: "",
    phaseLink: join(world.root, `${run}.phase`),
  });

test("a spawn that is repeated, also at once, returns the same life and starts nothing", async () => {
  await prepare("again");
  const request = requestOf("again");
  const [one, two] = await Promise.all([
    world.terminal.spawn(request),
    world.terminal.spawn(request),
  ]);
  expect(two).toEqual(one);
  expect(await world.terminal.spawn(request)).toEqual(one);
  await expect.poll(() => starts(request.dir)).toBe("x\n");
});

test("two daemons that start the same folder at once start one agent", async () => {
  for (let round = 0; round < 5; round++) {
    const run = `twice-${round}`;
    await prepare(run);
    const other = createTerminal({ socket: world.socket, crash: noCrash });
    const lives = await Promise.all([
      world.terminal.spawn(requestOf(run)),
      other.spawn(requestOf(run)),
    ]);
    expect(lives[1]).toEqual(lives[0]);
    await expect.poll(() => starts(world.dirOf(run))).toBe("x\n");
    // The one that came second has left without a trace.
    await expect
      .poll(async () => {
        const panes = await world.terminal.panes();
        return panes === "unknown" ? [] : panes.map((pane) => pane.tmuxSession);
      })
      .not.toContain(lives[0].tmuxSession === run ? `${run}-2` : run);
    expect(starts(world.dirOf(run))).toBe("x\n");
  }
});

test("another daemon adopts a life by its folder, can type to it and end it", async () => {
  const life = await world.start({
    run: "adopted",
    script: `read -r line; echo "$line" >"$OUT/got"`,
  });
  const later = createTerminal({ socket: world.socket, crash: noCrash });
  const found = await later.spawn({ ...requestOf("adopted"), dir: life.dir });
  expect(found).toEqual(life.spawned);
  expect(await later.probe(found.process)).toBe("alive");
  expect(await later.type({ ...found, text: "from the successor" })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("from the successor\n");
  expect(await later.spawn({ ...requestOf("adopted"), dir: life.dir })).toEqual(found);
});

for (const point of [
  "terminal.spawn.launch-file",
  "terminal.spawn.log",
  "terminal.spawn.session",
]) {
  test(`a spawn cut short at ${point} is carried on and starts the agent once`, async () => {
    const run = point.replaceAll(".", "-");
    await prepare(run);
    const crashing = createTerminal({
      socket: world.socket,
      crash: (name) => {
        if (name === point) throw new Error("cut short");
      },
    });
    await expect(crashing.spawn(requestOf(run))).rejects.toThrow("cut short");
    const life = await world.terminal.spawn(requestOf(run));
    expect(await world.terminal.probe(life.process)).toBe("alive");
    await expect.poll(() => starts(world.dirOf(run))).toBe("x\n");
    const panes = await world.terminal.panes();
    expect(
      panes === "unknown" ? [] : panes.filter((pane) => pane.tmuxSession.startsWith(run)),
    ).toHaveLength(1);
  });
}

test("names that are prefixes of each other are different sessions", async () => {
  const ten = await world.start({ run: "build-10", argv: ["sleep", "1000"] });
  const one = await world.start({ run: "build-1", argv: ["sleep", "1000"] });
  expect([ten.spawned.tmuxSession, one.spawned.tmuxSession]).toEqual(["build-10", "build-1"]);
  await world.end(one);
  // Ending it again must not find build-10 by its prefix.
  await world.end(one);
  expect(await world.terminal.probe(ten.spawned.process)).toBe("alive");
  const panes = await world.terminal.panes();
  expect(panes === "unknown" ? [] : panes.map((pane) => pane.tmuxSession)).toContain("build-10");
});

test("a name taken by another life gets a suffix, and ending one leaves the other", async () => {
  const first = await world.start({
    run: "first-life",
    name: "dev-toy-42",
    argv: ["sleep", "1000"],
  });
  const second = await world.start({
    run: "second-life",
    name: "dev-toy-42",
    argv: ["sleep", "1000"],
  });
  expect(second.spawned.tmuxSession).toBe("dev-toy-42-2");
  await world.end({ ...first, spawned: { ...first.spawned, tmuxSession: "dev-toy-42-2" } });
  expect(await world.terminal.probe(first.spawned.process)).toBe("dead");
  expect(await world.terminal.probe(second.spawned.process)).toBe("alive");
});

test("20 sessions start side by side on a server that is not there yet, and none loses its first line", async () => {
  const other = await makeWorld();
  try {
    const runs = Array.from({ length: 20 }, (_, index) => `parallel-${index}`);
    const lives = await Promise.all(
      runs.map((run) => other.start({ run, script: `echo "first line of ${run}"` })),
    );
    for (const [index, life] of lives.entries()) {
      expect((await exited(other.files, life.dir)).exit).toMatchObject({ code: 0 });
      await expect
        .poll(() => readFileSync(life.logFile, "utf8"))
        .toContain(`first line of parallel-${index}\r\n`);
    }
  } finally {
    await other.close();
  }
});

test("a server that is going away does not fail the next spawn", async () => {
  const other = await makeWorld();
  try {
    for (let round = 0; round < 5; round++) {
      const life = await other.start({ run: `round-${round}`, argv: ["sleep", "1000"] });
      expect(await other.terminal.probe(life.spawned.process)).toBe("alive");
      other.tmux("kill-server");
    }
  } finally {
    await other.close();
  }
});

test("a finished life without a server is returned as it was", async () => {
  const life = await world.start({ run: "finished", script: "exit 3" });
  await exited(world.files, life.dir);
  const nowhere = createTerminal({ socket: join(world.root, "other.sock"), crash: noCrash });
  const found = await nowhere.spawn({ ...requestOf("finished"), dir: life.dir });
  expect(found.process).toEqual(life.spawned.process);
  expect(await nowhere.panes()).toEqual([]);
});

test("a session that dies before it has said anything is an error that says so", async () => {
  await prepare("unwritable");
  const request = requestOf("unwritable");
  const crashing = createTerminal({
    socket: world.socket,
    crash: async (name) => {
      if (name === "terminal.spawn.log") await rm(request.dir, { recursive: true });
    },
  });
  await expect(crashing.spawn(request)).rejects.toThrow("ENOENT");
});

test("a socket in a folder that others can write to is refused", async () => {
  const open = createTerminal({ socket: "/tmp/pawl-open.sock", crash: noCrash });
  await prepare("open");
  await expect(open.spawn(requestOf("open"))).rejects.toThrow("others can write there");
});

test("closing leaves agents alone and lets an empty server go", async () => {
  const other = await makeWorld();
  try {
    const life = await other.start({ run: "stays", argv: ["sleep", "1000"] });
    await other.terminal.close();
    expect(await other.terminal.probe(life.spawned.process)).toBe("alive");
    await other.end(life);
    await expect
      .poll(() => {
        try {
          return other.tmux("list-sessions");
        } catch {
          return "no server";
        }
      })
      .toBe("no server");
  } finally {
    await other.close();
  }
});
