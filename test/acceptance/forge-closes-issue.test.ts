// A forge closes the issue by itself when its PR is merged ("closes #N"), and the list of
// issues that is read next shows it before the push is answered: it is the landing, and not a person
// who closed the issue.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeForgeFactory, work } from "../support/forge-factory.ts";

/** A push to main is done, and is answered only after the test allows it. */
const hook = (root: string): string => `#!/bin/sh
while read -r _old _new ref; do
  [ "$ref" = refs/heads/main ] || continue
  echo done > "${root}/pushed"
  until [ -e "${root}/answer" ]; do sleep 0.05; done
done
`;

/** The bare target, which has no one.txt yet, passes at once. */
const gate = (root: string): string =>
  `[ -e one.txt ] || exit 0\necho begun > "${root}/gate"\nuntil [ -e "${root}/green" ]; do sleep 0.05; done\n`;

test("an issue that the forge closes while its landing is under way counts as landed", async () => {
  await using factory = await makeForgeFactory();
  const { fake, root, bare } = factory;
  factory.commit({ "tests/gate.sh": gate(root) }, "Wait");
  factory.git("push", "-q", "origin", "main");
  await factory.fileIssue("Add one", work("one"));
  writeFileSync(join(bare, "hooks", "post-receive"), hook(root), { mode: 0o755 });
  const run = factory.background("run", "--until-idle");
  await factory.until("its gate runs", async () => existsSync(join(root, "gate")));

  // Something changes, so that the project is looked at; the list of its issues is long in coming.
  fake.hold(/^GET .*\/issues\?state=(?:open&limit|all&since)/);
  await factory.ok("issue", "add", "--title", "Some day", "--label", "vision");
  await factory.until("the issues are asked for", async () => fake.held() > 0);
  writeFileSync(join(root, "green"), "");
  await factory.until("it is pushed", async () => existsSync(join(root, "pushed")));
  fake.hold(undefined);
  fake.release();
  expect(fake.state.issue(1)).toMatchObject({ state: "closed" });
  expect((await factory.runOf(1)).stage).toBe("queued");

  writeFileSync(join(root, "answer"), "");
  const { code, stderr } = await run.ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect((await factory.runOf(1)).outcome).toBe("landed");
  expect(fake.state.issue(1)).toMatchObject({ state: "closed", labels: [] });
  expect(fake.state.comments).toEqual([]);
});
