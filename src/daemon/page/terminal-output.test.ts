import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TerminalOutput, type Screen } from "./terminal-output.ts";

const screenOf = (text: string): Screen => ({ size: { columns: 80, rows: 24 }, text, live: true });

test("a screen that was read before another life began is not shown after it", async () => {
  const shown: string[] = [];
  let paints = 0;
  const painted = Promise.withResolvers<void>();
  const output: TerminalOutput = new TerminalOutput({
    logFile: "/nowhere/pane.log",
    paint: async () => {
      paints += 1;
      if (paints > 1) return screenOf("the new life");
      queueMicrotask(() => output.repaint());
      return screenOf("the old life");
    },
    browser: {
      screen: () => undefined,
      output: (bytes) => {
        shown.push(Buffer.from(bytes).toString());
        painted.resolve();
      },
    },
    onError: (error) => painted.reject(error),
  });
  await painted.promise;
  output.close();
  expect(shown).toEqual(["the new life"]);
});

test("a screen that the browser has already is painted again where the log has grown since", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pawl-output-"));
  const logFile = join(folder, "pane.log");
  await writeFile(logFile, "as it was, and more");
  const painted = Promise.withResolvers<string>();
  const output = new TerminalOutput({
    logFile,
    shownAt: "as it was".length,
    paint: async () => screenOf("as it is"),
    browser: {
      screen: () => undefined,
      output: (bytes) => painted.resolve(Buffer.from(bytes).toString()),
    },
    onError: (error) => painted.reject(error),
  });
  expect(await painted.promise).toBe("as it is");
  output.close();
  await rm(folder, { recursive: true });
});
