// A usage limit is the account's: every project whose agents use it pauses, and where the user
// wants to be asked, no agent continues before the answer.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "../../src/cli/client.ts";
import { sessionFactory } from "../support/sessions.ts";
import { writeFiles } from "../support/pawl.ts";

const LIMITED_ONCE = `
if [ "$PAWL_NAME" = 1 ]; then
  spool '{"v":1,"kind":"limit","until":4102444800,"reason":"the five-hour limit"}'
  message answer >/dev/null
fi
spool '{"v":1,"kind":"tool","tool":"Bash"}'
echo "$PAWL_NAME" > "work-$PAWL_NAME" && git add -A && git commit -qm "Work on $PAWL_NAME" && phase done
`;

test('a limit pauses all projects of the account, and after_limit = "ask" waits for a person\'s word', async () => {
  await using factory = await sessionFactory(LIMITED_ONCE, { agent: 'after_limit = "ask"' });
  const other = join(factory.root, "other");
  mkdirSync(other);
  const config = factory.read("repo", "pawl.toml").replace(/^name = .*/m, 'name = "other"');
  writeFiles(other, {
    "pawl.toml": config.replace('after_limit = "ask"', ""),
    "agent.sh": "exit 1\n",
  });
  factory.gitIn(other, "init", "-q", "-b", "main");
  factory.gitIn(other, "add", "-A");
  factory.gitIn(other, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Begin");
  const there = createClient({ env: factory.env, cwd: other, version: "test", project: undefined });
  await factory.daemon();
  await there.post("/v1/projects", { folder: other });
  await factory.addIssue({ title: "Meet the limit" });
  const asked = await factory.until("a person is asked", async () => {
    return (await factory.runOf(1)).needs_you ?? undefined;
  });
  expect(asked).toContain("usage limit until ");
  expect(asked).toContain("the five-hour limit");
  // No other agent starts: neither here nor where the same account is used.
  await factory.addIssue({ title: "Come later" });
  const paused = (name: string) => async (): Promise<string | undefined> => {
    const { projects } = await factory.status();
    return projects.find((project) => project.name === name)?.paused ?? undefined;
  };
  expect(await paused(factory.project)()).toMatch(
    /^the account's limit, until .* and until you agree/,
  );
  expect(await factory.until("the other hears of it", paused("other"))).toMatch(
    /^the account's limit, until \S+ \(the five-hour limit\)$/,
  );
  expect((await factory.status()).runs.map(({ issue }) => issue)).toEqual([1]);
  expect(await factory.ok("why", "2")).toContain("and until you agree");
  await factory.ok("escalation", "answer", "1", "Go on.");
  await factory.until("both have landed", async () => factory.subjects().length === 3);
  expect(factory.subjects().toSorted()).toEqual(["Configure", "Work on 1", "Work on 2"]);
});
