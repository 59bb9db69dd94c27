import { statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { layoutOf } from "./layout.ts";
import { createLister, fingerprint } from "./lister.ts";
import { watchSession } from "./session-watch.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "pawl-session-"));
  for (const folder of ["inbox/new", "inbox/cur", "spool/new"]) {
    await mkdir(join(dir, folder), { recursive: true });
  }
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("where the machine has no watches left it says so once and the lister finds everything", async () => {
  const warnings: string[] = [];
  const written = Promise.withResolvers<string>();
  const watch = watchSession(
    {
      dir: { path: dir },
      onChange: ({ phase }) => {
        if (phase !== undefined) written.resolve(phase.text);
      },
      onMaybeGone: () => {},
    },
    {
      lister: createLister(5),
      onWarning: (message) => warnings.push(message),
      watchFolder: () => {
        throw Object.assign(new Error("ENOSPC: System limit reached"), { code: "ENOSPC" });
      },
    },
  );
  await writeFile(join(dir, "phase"), "PHASE:done");
  expect(await written.promise).toBe("PHASE:done");
  watch.close();
  expect(warnings).toEqual([
    `cannot watch ${dir}, so it is listed every 2 s instead: ENOSPC: System limit reached`,
  ]);
});

test("a spool with more than one reading takes is shown whole without waiting for the lister", async () => {
  const names = Array.from({ length: 1_500 }, (_, index) => `${index}.json`);
  await Promise.all(names.map((name) => writeFile(join(dir, "spool/new", name), "{}")));
  const readings: number[] = [];
  const shown = new Set<string>();
  const all = Promise.withResolvers<void>();
  const watch = watchSession(
    {
      dir: { path: dir },
      onChange: ({ spool }) => {
        readings.push(spool.length);
        for (const { name } of spool) shown.add(name);
        if (shown.size === names.length) all.resolve();
      },
      onMaybeGone: () => {},
    },
    { lister: { add: () => {}, remove: () => {} }, onWarning: () => {} },
  );
  await all.promise;
  watch.close();
  expect(readings).toEqual([1_000, 500]);
});

test("a process that is gone without a word is found by the lister, and said once", async () => {
  await writeFile(join(dir, "process"), "wrapper 4194303 1\npane %1\nsession x\n");
  const gone = Promise.withResolvers<void>();
  let times = 0;
  let looks = 0;
  const lister = createLister(1);
  const watch = watchSession(
    {
      dir: { path: dir },
      onChange: () => {},
      onMaybeGone: () => {
        times += 1;
        gone.resolve();
      },
    },
    { lister, onWarning: () => {} },
  );
  await gone.promise;
  const enough = Promise.withResolvers<void>();
  lister.add({ look: () => ((looks += 1) > 20 ? enough.resolve() : undefined) });
  await enough.promise;
  watch.close();
  expect(times).toBe(1);
});

test("a folder that changed a moment ago has no fingerprint to be trusted", async () => {
  const layout = layoutOf(dir);
  const changed = [layout.dir, layout.spoolNew, layout.inboxCur].map(
    (path) => statSync(path).ctimeMs,
  );
  const changedAt = Math.max(...changed);
  using clock = vi.spyOn(Date, "now").mockReturnValue(changedAt);
  expect(fingerprint(layout)).toBeUndefined();
  clock.mockReturnValue(changedAt + 1000);
  expect(fingerprint(layout)).toBeTypeOf("string");
});
