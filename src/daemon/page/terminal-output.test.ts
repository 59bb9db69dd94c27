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
