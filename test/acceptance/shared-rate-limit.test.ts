// Two projects on one forge with one account: its rate limit is theirs together.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "../../src/cli/client.ts";
import { DEV_TOKEN } from "../support/fake-gitea/server.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";

test("while the forge makes one project wait, no other project with its account asks it either", async () => {
  await using factory = await makeForgeFactory();
  const { fake, root, bare } = factory;
  const folder = join(root, "other");
  mkdirSync(folder);
  factory.gitIn(root, "clone", "-q", bare, "other");
  const there = createClient({
    env: factory.env,
    cwd: folder,
    version: "test",
    project: undefined,
  });
  const config = factory.read("repo", "pawl.toml").replace(/^name = .*/m, 'name = "other"');
  factory.write({ "../other/pawl.toml": config });
  await factory.ok("up");
  await factory.register();
  await there.post("/v1/projects", { folder });
  const list = (project: string) => factory.pawl("issue", "list", "--project", project);
  expect(await list(factory.project)).toMatchObject({ code: 0 });
  expect(await list("other")).toMatchObject({ code: 0 });

  fake.fail("429", { retryAfterS: 600 });
  await factory.until("one is told to wait", async () => {
    const { code, stderr } = await list(factory.project);
    return code !== 0 && stderr.includes("rate limit");
  });
  fake.fail(undefined);
  // What was under way has ended: from here on the forge hears nothing of this account.
  const asked = fake.seen.length;
  const refused = await list("other");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/takes no more requests for now/);
  expect(refused.stderr).toMatch(/requests resume in \d+ s/);
  expect(refused.stderr).not.toContain(DEV_TOKEN);
  expect(fake.seen.slice(asked)).toEqual([]);
});
