import { expect, test } from "vitest";
import { desktopArgv } from "./command-channel.ts";

const NEWS = {
  key: "k1",
  severity: "urgent",
  title: "--help $(id)",
  body: '"; id',
  project: "toy",
} as const;

test("the desktop gets texts as arguments that nothing reads as options or as a script", () => {
  expect(desktopArgv(NEWS, "linux")).toEqual([
    "notify-send",
    "--app-name=Pawl",
    "--urgency=critical",
    "--",
    "toy: --help $(id)",
    '"; id',
  ]);
  expect(desktopArgv(NEWS, "darwin").slice(-2)).toEqual(["toy: --help $(id)", '"; id']);
});
