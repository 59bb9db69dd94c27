import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programNames, programsOf } from "./programs.ts";

test("the programs of a command are found behind variables and in every part of a chain", () => {
  expect(
    programNames(["CI=1 npm test && node x.js | tee log; ./run; bin/go", "sh test.sh"]),
  ).toEqual(["node", "npm", "sh", "tee"]);
});

test("another build of a program is another environment, and one that is missing is left out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-programs-"));
  try {
    writeFileSync(join(folder, "runner"), "v1");
    const look = () => programsOf(["runner --all", "no-such-program"], `relative:${folder}`);
    const before = await look();
    expect(before).toHaveLength(1);
    expect(await look()).toEqual(before);
    writeFileSync(join(folder, "runner"), "v2 is longer");
    expect(await look()).not.toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
