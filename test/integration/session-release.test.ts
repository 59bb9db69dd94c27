// A daemon that dies where it gives up typing a message: the next one gives it back, once.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSessionFiles } from "../../src/adapters/session-files/session-files.ts";
import { withCrashPoints } from "../../src/daemon/engine/port-crash-points.ts";
import type { Ports } from "../../src/daemon/engine/ports.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { TYPED_FOLDER, type SessionFiles } from "../../src/ports/session-files.ts";

/** As a daemon that dies there: nothing after it happens. */
function dyingAt(wanted: string, sessionFiles: SessionFiles): SessionFiles {
  const others = { terminal: {}, workspaces: {}, notifier: {}, machine: {}, userPlugins: {} };
  const more = { publisher: {}, firing: {}, commands: {}, gateway: {} };
  const ports = { ...others, ...more, sessionFiles } as unknown as Ports;
  return withCrashPoints(ports, (point) => {
    if (point === wanted) throw new Error(`died at ${point}`);
    return Promise.resolve();
  }).sessionFiles;
}

test.each(["session-files.release:before", "session-files.release:after"])(
  "a message whose daemon dies at %s is mail again, once",
  async (point) => {
    const root = await mkdtemp(join(tmpdir(), "pawl-release-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const dir = { path: join(root, "runs", "1.1", "1") };
    const files = createSessionFiles({ crash: noCrash });
    await files.prepare({ dir, prompt: "work", phaseLink: join(root, "phase-link") });
    await mkdir(join(dir.path, TYPED_FOLDER));
    await files.deliver({ dir, id: "m1", text: "hello" });
    await files.hold({ dir, id: "m1" });
    await expect((async () => dyingAt(point, files).release({ dir, id: "m1" }))()).rejects.toThrow(
      point,
    );
    // The next daemon types it again, and gives up again.
    await files.deliver({ dir, id: "m1", text: "hello" });
    await files.hold({ dir, id: "m1" });
    await files.release({ dir, id: "m1" });
    expect(await readdir(join(dir.path, "inbox", "new"))).toEqual(["m1.md"]);
    expect(await readdir(join(dir.path, TYPED_FOLDER))).toEqual([]);
  },
);
