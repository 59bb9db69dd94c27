import { expect, test } from "vitest";
import { isAtLeast, SEVERITIES } from "./channel.ts";

test("news goes a way whose least severity it reaches", () => {
  const reaching = (least: (typeof SEVERITIES)[number]) =>
    SEVERITIES.filter((severity) => isAtLeast(severity, least));
  expect(reaching("info")).toEqual(["info", "warning", "urgent"]);
  expect(reaching("warning")).toEqual(["warning", "urgent"]);
  expect(reaching("urgent")).toEqual(["urgent"]);
});
