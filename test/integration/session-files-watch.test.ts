// Watching: nothing that an agent says is missed, repeated writes are told apart, and closing lets
// everything go.
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createSessionFiles } from "../../src/adapters/session-files/session-files.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { SessionSnapshot } from "../../src/ports/session-files.ts";
import { makeWorld, seen } from "../support/terminal-world.ts";

const files = createSessionFiles({ crash: noCrash });
let root: string;
let dir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-watch-"));
  dir = join(root, "runs", "7", "1");
  await files.prepare({ dir: { path: dir }, prompt: "", phaseLink: join(root, "phase-link") });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A watch whose snapshots can be awaited one after the other. */
function follow(path: string) {
  const waiting: {
    fits: (snapshot: SessionSnapshot) => boolean;
    resolve: (snapshot: SessionSnapshot) => void;
  }[] = [];
  const all: SessionSnapshot[] = [];
  let gone = 0;
  const watch = files.watch({
    dir: { path },
    onChange: (snapshot) => {
      all.push(snapshot);
      for (const one of waiting.splice(0)) {
        if (one.fits(snapshot)) one.resolve(snapshot);
        else waiting.push(one);
      }
    },
    onMaybeGone: () => {
      gone += 1;
    },
  });
  return {
    all,
    gone: () => gone,
    close: () => watch.close(),
    next: (fits: (snapshot: SessionSnapshot) => boolean) =>
      new Promise<SessionSnapshot>((resolve) => {
        waiting.push({ fits, resolve });
      }),
  };
}

test("a phase written again with the same text is another phase, in place and by rename", async () => {
  const watch = follow(dir);
  const stamps = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const written = watch.next(({ phase }) => phase !== undefined && !stamps.has(phase.stamp));
    if (round % 2 === 0) await writeFile(join(dir, "phase"), "PHASE:awaiting_ci\n");
    else {
      await writeFile(join(dir, "phase.tmp"), "PHASE:awaiting_ci\n");
      await rename(join(dir, "phase.tmp"), join(dir, "phase"));
    }
    const { phase } = await written;
    expect(phase?.text).toBe("PHASE:awaiting_ci\n");
    stamps.add(phase?.stamp ?? "");
  }
  watch.close();
  expect(stamps.size).toBe(6);
});

test("a phase written through the seed's link is seen; an empty file is unwritten", async () => {
  const watch = follow(dir);
  await writeFile(join(root, "phase-link"), "");
  expect((await files.read({ path: dir })).phase).toBeUndefined();
  const written = watch.next(({ phase }) => phase !== undefined);
  await writeFile(join(root, "phase-link"), "PHASE:done\n");
  expect((await written).phase?.text).toBe("PHASE:done\n");
  watch.close();
});

test("a message that the agent moves is acknowledged, once delivered it is not delivered again", async () => {
  const watch = follow(dir);
  const message = { dir: { path: dir }, id: "msg-1", text: "CI passed" };
  expect(await files.deliver(message)).toBe("delivered");
  expect(await files.deliver(message)).toBe("already");
  const acknowledged = watch.next((snapshot) => snapshot.acknowledged.length > 0);
  await rename(join(dir, "inbox/new/msg-1.md"), join(dir, "inbox/cur/msg-1.md:2,S"));
  expect((await acknowledged).acknowledged).toEqual(["msg-1"]);
  expect(await files.deliver(message)).toBe("already");
  watch.close();
});

test("5,000 spool files from another thread all arrive, and each is shown once while it is removed", async () => {
  const shown = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const removals: Promise<void>[] = [];
  const watch = files.watch({
    dir: { path: dir },
    onChange: ({ spool }) => {
      for (const { name, text } of spool) {
        expect(text).toBe(`{"v":1,"kind":"tool","name":"${name}"}`);
        shown.set(name, (shown.get(name) ?? 0) + 1);
        removals.push(files.removeSpool({ dir: { path: dir }, name }));
      }
      if (shown.size === 5_000) resolve();
    },
    onMaybeGone: () => {},
  });
  const writer = new Worker(
    `const { writeFileSync, renameSync } = require("node:fs");
     const { workerData: dir } = require("node:worker_threads");
     for (let i = 0; i < 5000; i++) {
       const name = String(i).padStart(5, "0") + ".json";
       writeFileSync(dir + "/spool/tmp/" + name, JSON.stringify({ v: 1, kind: "tool", name }));
       renameSync(dir + "/spool/tmp/" + name, dir + "/spool/new/" + name);
     }`,
    { eval: true, workerData: dir },
  );
  await once(writer, "exit");
  await promise;
  await Promise.all(removals);
  watch.close();
  expect(shown.size).toBe(5_000);
  expect((await files.read({ path: dir })).spool).toEqual([]);
});

test("the end of a session is reported with its record, then onMaybeGone is called once", async () => {
  const world = await makeWorld();
  try {
    const life = await world.start({ run: "told", script: "read -r go; exit 9" });
    const watch = follow(life.dir);
    expect((await watch.next(({ process }) => process !== undefined)).process).toEqual(
      life.spawned.process,
    );
    const ended = watch.next(({ exit }) => exit !== undefined);
    await world.terminal.type({ ...life.spawned, text: "go" });
    expect((await ended).exit).toMatchObject({ code: 9 });
    await expect.poll(() => watch.gone()).toBe(1);
    watch.close();
  } finally {
    await world.close();
  }
});

test("what does not belong in an agent's folder neither blocks nor hides the rest", async () => {
  const script = `cd "$1/spool/new" && mkfifo a-fifo && ln -s /etc/passwd b-link && mkdir c-folder &&
    printf ok >d-file && mkfifo "$1/phase"`;
  execFileSync("sh", ["-c", script, "sh", dir]);
  const snapshot = await files.read({ path: dir });
  expect(snapshot.phase).toBeUndefined();
  expect(snapshot.spool).toEqual([
    { name: "a-fifo", text: "" },
    { name: "b-link", text: "" },
    { name: "c-folder", text: "" },
    { name: "d-file", text: "ok" },
  ]);
  for (const { name } of snapshot.spool) await files.removeSpool({ dir: { path: dir }, name });
  await files.removeSpool({ dir: { path: dir }, name: "../../prompt.md" });
  expect((await files.read({ path: dir })).spool).toEqual([]);
});

test("a folder that is prepared only after the watch began is seen", async () => {
  const later = join(root, "runs", "8", "1");
  const written = seen(files, later, ({ phase }) => phase !== undefined);
  await files.prepare({ dir: { path: later }, prompt: "", phaseLink: join(root, "other-link") });
  await writeFile(join(later, "phase"), "PHASE:done");
  expect((await written).phase?.text).toBe("PHASE:done");
});

test("a process that watched 50 sessions ends by itself after closing them", async () => {
  const script = `
    import { createSessionFiles } from ${JSON.stringify(new URL("../../src/adapters/session-files/session-files.ts", import.meta.url).href)};
    import { writeFile } from "node:fs/promises";
    import { execFileSync } from "node:child_process";
    const files = createSessionFiles({ crash: () => {} });
    const watches = [];
    for (let i = 0; i < 50; i++) {
      const path = ${JSON.stringify(root)} + "/many/runs/" + i + "/1";
      await files.prepare({ dir: { path }, prompt: "", phaseLink: ${JSON.stringify(root)} + "/l" + i });
      execFileSync("mkfifo", [path + "/alive"]);
      await writeFile(path + "/process", "wrapper " + process.pid + " 1\\npane %1\\nsession x\\n");
      const told = Promise.withResolvers();
      watches.push(files.watch({ dir: { path }, onChange: told.resolve, onMaybeGone() {} }));
      await told.promise;
    }
    for (const watch of watches) watch.close();
    console.log("closed");`;
  const child = execFile(process.execPath, ["--input-type=module", "-e", script]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  child.stdout?.on("data", (chunk: string) => (output += chunk));
  child.stderr?.on("data", (chunk: string) => (output += chunk));
  const [code] = (await once(child, "exit")) as [number | null];
  expect({ code, output }).toEqual({ code: 0, output: "closed\n" });
});
