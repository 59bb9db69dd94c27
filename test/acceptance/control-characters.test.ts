// What strangers write may hold characters that steer a terminal; a pipe often ends at one.
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const EVIL = "red \u009b31m clear \u001b[2J bell \u0007 delete \u007f next \u0085 end";

test("piped output and JSON carry no control characters", async () => {
  await using factory = await makeFactory({ config: SCRIPT_AGENT + TEST_GATE });
  await factory.addIssue({ title: EVIL, body: `${EVIL}\nsecond line` });
  for (const argv of [
    ["issue", "list"],
    ["issue", "show", "1"],
    ["issue", "list", "--json"],
    ["issue", "show", "1", "--json"],
    ["status"],
    ["status", "--json"],
    ["why", "1"],
  ]) {
    const { code, stdout, stderr } = await factory.pawl(...argv);
    expect([argv, code]).toEqual([argv, 0]);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
  expect(await factory.ok("issue", "show", "1")).toContain(String.raw`red \x9b31m clear`);
  const shown = await factory.ok("issue", "show", "1", "--json");
  expect(shown).toContain(String.raw`red \u009b31m clear`);
  expect((JSON.parse(shown) as { title: string }).title).toBe(EVIL);
});
