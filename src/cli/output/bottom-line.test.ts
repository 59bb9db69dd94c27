import { expect, test } from "vitest";
import { bottomLine } from "./bottom-line.ts";

function terminal(columns: number) {
  let written = "";
  let now = 0;
  const line = bottomLine({
    stderr: (text) => void (written += text),
    stderrColumns: () => columns,
    now: () => now,
  });
  return { line, written: () => written, wait: (ms: number) => void (now += ms) };
}

const CLEAR = "\u001B[2K\u001B[G";

test("on a terminal other lines scroll above it, and it is removed at the end", () => {
  const { line, written } = terminal(80);
  line.stderr("first\n");
  line.set((columns) => `sum of ${columns}`);
  // The same text is not drawn twice.
  line.set((columns) => `sum of ${columns}`);
  line.stderr("second\n");
  line.stop();
  line.stderr("third\n");
  const bar = `${CLEAR}sum of 79`;
  expect(written()).toBe(`first\n${bar}${CLEAR}second\n${bar}${CLEAR}third\n`);
});

test("in a pipe it is a line of its own, at most once a minute and only where it says something new", () => {
  const { line, written, wait } = terminal(0);
  line.set(() => "one");
  wait(60_000);
  line.set(() => "two");
  line.set(() => "three");
  wait(60_000);
  line.set(() => "two");
  line.stderr("news\n");
  line.stderr("two\n");
  line.stop();
  expect(written()).toBe("two\nnews\ntwo\n");
});

test("in a pipe a last line that says the same as the one before is not repeated", () => {
  const { line, written, wait } = terminal(0);
  wait(60_000);
  line.set(() => "1 landed");
  line.stderr("1 landed\n");
  expect(written()).toBe("1 landed\n");
});
