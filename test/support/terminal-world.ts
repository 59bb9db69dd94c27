// A private tmux server, private folders and a way to start agents in them, for tests. Everything
// is removed by id: the sessions of this socket, the processes that carry this world's project.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSessionFiles } from "../../src/adapters/session-files/session-files.ts";
import { createTerminal } from "../../src/adapters/terminal-tmux/terminal.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { SessionFiles, SessionSnapshot } from "../../src/ports/session-files.ts";
import type { Spawned, Terminal } from "../../src/ports/terminal.ts";

export type Life = {
  dir: string;
  logFile: string;
  spawned: Spawned;
  marks: Marks;
  workspace?: string | undefined;
};
export type Marks = { project: string; run: string; epoch: number };

export type Start = {
  run: string;
  name?: string;
  argv?: string[];
  /** A script for sh, instead of argv. */
  script?: string;
  env?: Record<string, string>;
  cwd?: string;
};

export type World = {
  root: string;
  project: string;
  socket: string;
  terminal: Terminal;
  files: SessionFiles;
  start(start: Start): Promise<Life>;
  dirOf(run: string): string;
  /** A question to this world's own server. */
  tmux(...words: string[]): string;
  end(life: Life, graceMs?: number): Promise<void>;
  close(): Promise<void>;
};

export async function makeWorld(): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), "pawl-terminal-"));
  const socket = join(root, "tmux.sock");
  const project = `test-${root.slice(-6)}`;
  const terminal = createTerminal({ socket, crash: noCrash });
  const files = createSessionFiles({ crash: noCrash });
  const marksOf = (run: string): Marks => ({ project, run, epoch: 1 });
  const dirOf = (run: string): string => join(root, "runs", run, "1");
  return {
    root,
    project,
    socket,
    terminal,
    files,
    dirOf,
    start: async ({ run, name, argv, script, env, cwd }) => {
      const dir = dirOf(run);
      await files.prepare({
        dir: { path: dir },
        prompt: "work",
        phaseLink: join(root, `${run}.phase`),
      });
      const logFile = join(root, "runs", run, "pane.log");
      const marks = marksOf(run);
      const spawned = await terminal.spawn({
        name: name ?? run,
        cwd: cwd ?? root,
        argv: argv ?? ["sh", "-c", script ?? "exit 0"],
        env: {
          PATH: process.env["PATH"] ?? "",
          PAWL_PROJECT: project,
          PAWL_RUN: run,
          PAWL_EPOCH: "1",
          OUT: dir,
          ...env,
        },
        dir,
        logFile,
        size: { columns: 120, rows: 40 },
      });
      return { dir, logFile, spawned, marks, workspace: cwd };
    },
    tmux: (...words) =>
      execFileSync("tmux", ["-u", "-S", socket, ...words], { encoding: "utf8", stdio: "pipe" }),
    end: (life, graceMs = 2_000) =>
      terminal.end({
        tmuxSession: life.spawned.tmuxSession,
        process: life.spawned.process,
        marks: life.marks,
        ...(life.workspace === undefined ? {} : { workspace: life.workspace }),
        graceMs,
      }),
    close: async () => {
      const runs = spawnSync("ls", [join(root, "runs")], { encoding: "utf8" }).stdout.split("\n");
      for (const run of runs.filter((name) => name !== "")) {
        await terminal.end({
          tmuxSession: undefined,
          process: undefined,
          marks: marksOf(run),
          graceMs: 0,
        });
      }
      // This world's socket only; there may be no server any more.
      spawnSync("tmux", ["-S", socket, "kill-server"]);
      // A wrapper that was just told to hang up may still write its record.
      await rm(root, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Resolves with the first snapshot that fits. */
export async function seen(
  files: SessionFiles,
  dir: string,
  fits: (snapshot: SessionSnapshot) => boolean,
): Promise<SessionSnapshot> {
  const { promise, resolve } = Promise.withResolvers<SessionSnapshot>();
  const watch = files.watch({
    dir: { path: dir },
    onChange: (snapshot) => {
      if (fits(snapshot)) resolve(snapshot);
    },
    onMaybeGone: () => {},
  });
  try {
    return await promise;
  } finally {
    watch.close();
  }
}

export const exited = (files: SessionFiles, dir: string): Promise<SessionSnapshot> =>
  seen(files, dir, (snapshot) => snapshot.exit !== undefined);

/** True while a process with this pid runs; a zombie has ended. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return !/\) [ZX]/.test(stat);
  } catch {
    return false;
  }
}
