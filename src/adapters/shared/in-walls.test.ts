import { expect, test } from "vitest";
import type { Frame } from "../../ports/walls.ts";
import { roomEnvironment } from "./in-walls.ts";

const OUTSIDE = { TMPDIR: "/home/ada/tmp", LANG: "C" };

test("temporary files are below /tmp inside walls, and where the user has them without", () => {
  expect(roomEnvironment({} as Frame, OUTSIDE)).toEqual({ TMPDIR: "/tmp", LANG: "C" });
  expect(roomEnvironment(undefined, OUTSIDE)).toEqual(OUTSIDE);
});
