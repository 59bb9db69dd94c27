import { expect, test } from "vitest";
import { Progress, readProgress } from "./progress.ts";

test.each([
  ["Updating files:  43% (43000/100000)\r", "checking out files", 43],
  [
    "Receiving objects:   7% (1/14), 1.00 MiB | 2 MiB/s\rReceiving objects:  50% (7/14)\r",
    "receiving objects",
    50,
  ],
  ["remote: Counting objects: 100% (3/3), done.\n", "counting objects", 100],
  ["Downloading LFS objects:  50% (1/2), 1.0 MB | 2 MB/s\r", "downloading LFS objects", 50],
])("what git says of its progress is read: %j", (text, step, percent) => {
  expect(readProgress(text)).toEqual({ step, percent });
});

test("what is not progress is not read as such", () => {
  expect(readProgress("fatal: 50% of nothing\n")).toBeUndefined();
});

test("a command is under way from its first word of progress to its end, at its own place", async () => {
  const progress = new Progress();
  await progress.follow("/w/dev-1.new", async (onStderr) => {
    expect(progress.underWay()).toEqual([]);
    onStderr("Updating files:  43% (43/100)\r");
    const step = "checking out files";
    expect(progress.underWay()).toEqual([{ place: "/w/dev-1", step, percent: 43 }]);
  });
  expect(progress.underWay()).toEqual([]);
});
