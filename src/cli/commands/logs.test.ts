import { expect, test } from "vitest";
import { Answers, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const TEXT = `╭${"─".repeat(118)}╮\n${"Read the file before you edit it. ".repeat(4).trim()}`;
const PIECE = { text: TEXT, next: 9, drawn: true, over: true };
const WORLD = { answers: { "GET /v1/runs/7/log?bytes=2000000": PIECE }, columns: 80 };

test("what a wide terminal showed is broken between words on a narrow one, and whole in a pipe", async () => {
  const { stdout } = await pawlOnTty(["logs", "7"], WORLD);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.slice(1).join(" ").replaceAll(/\s+/g, " ")).toBe(TEXT.split("\n")[1]);
  expect((await pawl(["logs", "7"], WORLD)).stdout).toBe(`${TEXT}\n`);
});

test("the lines of a program that drew nothing are shown as they are, so that a path can be copied", async () => {
  const text = `error: cannot find ${"/home/ada/a-folder-with-a-long-name".repeat(4)}/x.ts:7`;
  const answers = { "GET /v1/runs/7/log?bytes=2000000": { ...PIECE, text, drawn: false } };
  expect((await pawlOnTty(["logs", "7"], { answers, columns: 80 })).stdout).toBe(`${text}\n`);
});

test("what follows in a terminal that was drawn before is read as a screen, not as raw text", async () => {
  const first = { text: "one", next: 5, drawn: true, over: false };
  const answers = {
    "GET /v1/runs/7/log?bytes=2000000": new Answers(first, { ...first, text: "one\ntwo" }),
    "GET /v1/runs/7/log?bytes=2000000&after=5": {
      text: "\u001b[2Ktwo",
      next: 9,
      drawn: false,
      over: true,
    },
  };
  const { stdout } = await pawl(["logs", "7", "-f"], { answers, looks: 1 });
  expect(stdout).toContain("two");
  expect(stdout).not.toContain("\u001b");
});
