// A folder, file or link that Pawl cannot write: the machine's refusal, said in a sentence.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}`;

test("a folder that cannot be made is one sentence with its cause, at once", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const file = join(factory.root, "file");
  writeFileSync(file, "");
  // Below /proc, Node's own recursive mkdir never returns.
  for (const home of [join(file, "home"), "/proc/pawl/home"]) {
    factory.env["PAWL_HOME"] = home;
    for (const command of [["up"], ["run", "--until-idle"], ["init", "--yes"]]) {
      const { code, stderr } = await factory.pawl(...command);
      expect(code, stderr).toBe(1);
      expect(stderr).toContain(`cannot make the state folder ${home}`);
      expect(stderr).toContain("hint: set PAWL_HOME to a folder that you can write to");
      expect(stderr).not.toContain("    at ");
    }
  }
});

test("a file or link that cannot be written is one sentence, without a stack", async () => {
  await using factory = await makeFactory({ config: CONFIG, fromSources: true });
  const file = join(factory.root, "file");
  writeFileSync(file, "");
  const { code, stderr } = await factory.pawl("link", "--dir", "/proc");
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot write /proc/pawl: ")]);
  const below = await factory.pawl("link", "--dir", join(file, "bin"));
  expect([below.code, below.stderr]).toEqual([
    1,
    expect.stringContaining("cannot make the folder"),
  ]);
  expect(stderr).not.toContain("    at ");
});
