// What people do while an agent's branch is being fetched: git hangs here until the test lets it go.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { isRunning } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";

const AGENT = `
echo one > one.txt; git add -A; git commit -q -m one
phase awaiting_ci
await go-$PAWL_EPOCH
if [ -e "$SEEN/asks" ]; then
  case $(cat "$SEEN/asks") in
    help) spool '{"v":1,"kind":"help","text":"Which colour?"}' ;;
    phase) printf 'PHASE:escalate\\nReason: Which colour?\\n' > "$PAWL_PHASE_FILE" ;;
  esac
  cp "$(message answer)" answer.txt; git add -A; git commit -q -m answer
  phase awaiting_ci
fi
message landed
`;

/** A factory whose agent has said that it is ready, and whose git hangs when it fetches the branch. */
async function fetching() {
  const factory = await sessionFactory(AGENT);
  const folder = join(factory.root, "slow");
  const at = (name: string): string => join(folder, name);
  mkdirSync(folder);
  const script = `#!/bin/sh
PATH="\${PATH#*:}"
case "$*" in
*+refs/heads/pawl/1-*) ;;
*) exec git "$@" ;;
esac
: > ${at("begun")}; while [ ! -e ${at("free")} ]; do sleep 0.05; done
git "$@"; code=$?; : > ${at("fetched")}; exit $code
`;
  writeFileSync(join(folder, "git"), script);
  chmodSync(join(folder, "git"), 0o755);
  factory.env["PATH"] = `${folder}:${factory.env["PATH"]}`;
  await factory.ok("issue", "add", "--title", "One");
  const daemon = await factory.daemon();
  await factory.until("git fetches", async () => existsSync(at("begun")));
  const letGo = (): void => writeFileSync(at("free"), "");
  return { factory, daemon, letGo, isFetched: (): boolean => existsSync(at("fetched")) };
}

const landed = (factory: Awaited<ReturnType<typeof fetching>>["factory"]) =>
  factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");

test.each([
  ["in its spool", "help"],
  ["by its phase", "phase"],
])(
  "status and why say that the branch is being fetched, and a question meanwhile, %s, reaches a person",
  async (_, how) => {
    const { factory, daemon, letGo, isFetched } = await fetching();
    await using _closing = factory;
    expect((await factory.runOf(1)).stage).toBe("fetching");
    expect(await factory.ok("status")).toContain("fetching the branch");
    expect(await factory.ok("why", "1")).toContain("Pawl fetches and inspects its branch");
    expect((await factory.agent()).waiting).toBe("ci");
    writeFileSync(join(factory.root, "asks"), how);
    factory.allow("go-1");
    await factory.until("a person is asked", async () => {
      return (await factory.runOf(1)).needs_you === "Which colour?";
    });
    letGo();
    // What was fetched for the phase before the question must not take it away.
    await factory.until("the fetch has ended", async () => isFetched());
    for (const _look of [1, 2, 3]) await factory.ok("why", "1");
    expect(await factory.ok("escalation", "list")).toContain("Which colour?");
    expect((await factory.runOf(1)).needs_you).toBe("Which colour?");
    await factory.ok("escalation", "answer", "1", "blue");
    await landed(factory);
    expect(factory.gitIn(factory.repo, "show", "main:answer.txt")).toContain("blue");
    daemon.kill("SIGTERM");
    await daemon.ended;
  },
);

test("a stop does not wait for git, and the work lands after a retry", async () => {
  const { factory, daemon, letGo } = await fetching();
  await using _closing = factory;
  const { pid } = await factory.runOf(1);
  await factory.ok("stop", "1");
  await factory.until("the agent is gone", async () => !isRunning(pid ?? 0));
  expect((await factory.runOf(1)).stage).toBe("fetching");
  letGo();
  await factory.until("it is ready", async () => {
    return (await factory.ok("status")).includes("out of the merge queue");
  });
  await factory.ok("retry", "1");
  await landed(factory);
  daemon.kill("SIGTERM");
  await daemon.ended;
});

test("a fetch that an older version left beside the stage goes on", async () => {
  const { factory, daemon, letGo } = await fetching();
  await using _closing = factory;
  daemon.kill("SIGKILL");
  await daemon.ended;
  const db = new DatabaseSync(join(factory.home, "pawl.db"));
  const change = db.prepare(
    `UPDATE aggregates SET state = json_set(json_set(state, '$.fetching', json_extract(state, '$.stage.ordinal')), '$.stage', json('{"kind":"working"}')) WHERE id LIKE 'run:%'`,
  );
  expect(change.run().changes).toBe(1);
  db.close();
  const second = await factory.daemon();
  expect((await factory.runOf(1)).stage).toBe("fetching");
  letGo();
  await landed(factory);
  second.kill("SIGTERM");
  await second.ended;
});
