// What an agent was working on survives it, and its successor is told.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { HookView } from "../../src/api/hooks.ts";
import { sessionFactory } from "../support/sessions.ts";

const R21 =
  "identity_name current_bead current_node work_phase work_summary last_checkpoint_at files_modified tests_status resumption_instructions";

test("AC-2.1, AC-2.2: the hook exists before the agent, and follows its work within 30 s", async () => {
  await using factory = await sessionFactory(`
await edit
spool '{"v":1,"at":1,"kind":"tool","tool":"Edit","summary":"src/parser.ts","file":"src/parser.ts"}'
await test
spool '{"v":1,"at":1,"kind":"tool","tool":"Bash","summary":"npm test"}'
await say
pawl hook set --phase planning --summary "the second half" --instructions "Mind the fixtures."
pawl hook show --json > "$SEEN/own"
await never
`);
  await factory.addIssue({ title: "Write the parser" });
  await factory.daemon();
  await factory.started(1);
  const birth = JSON.parse(factory.left("hook-1-1")) as HookView;
  expect(Object.keys(birth)).toEqual(expect.arrayContaining(R21.split(" ")));
  expect(birth).toMatchObject({
    identity_name: "dev-1",
    current_bead: "1",
    work_phase: "investigation",
    work_summary: "Write the parser",
    status: "active",
  });
  for (const [go, work_phase] of [
    ["edit", "implementation"],
    ["test", "testing"],
    ["say", "planning"],
  ] as const) {
    const since = performance.now();
    factory.allow(go);
    await factory.until(`the hook says ${work_phase}`, async () => {
      return factory.hookFile().work_phase === work_phase;
    });
    expect(performance.now() - since).toBeLessThan(30_000);
  }
  expect(await factory.ok("why", "1")).toMatch(
    /^last seen .*, last progress .* \(making a plan\)$/m,
  );
  expect(factory.hookFile()).toMatchObject({
    work_summary: "the second half",
    files_modified: ["src/parser.ts"],
    resumption_instructions: "Mind the fixtures.",
  });
  expect(JSON.parse(await factory.ok("hook", "show", "1", "--json"))).toEqual(factory.hookFile());
  await factory.until("the agent reads its own", async () => factory.seen("own"));
  const updates = (await factory.signals()).filter(({ kind }) => kind === "HOOK_UPDATED");
  expect(updates.map(({ detail }) => detail["work_phase"])).toEqual([
    "implementation",
    "testing",
    "planning",
  ]);
});

test("AC-2.3, G1: the successor of a killed tmux session is told where to resume, and finds everything", async () => {
  await using factory = await sessionFactory(`
if [ "$PAWL_EPOCH" = 1 ]; then
  echo half > draft.txt
  pawl hook set --phase implementation --summary "the error messages of the parser"
  note told
fi
await never
`);
  await factory.addIssue({ title: "Write the parser" });
  await factory.daemon();
  const first = await factory.started(1);
  await factory.until("the hook is kept", async () => {
    return factory.hookFile().work_phase === "implementation";
  });
  const since = performance.now();
  spawnSync("tmux", ["-S", factory.socket, "kill-session", "-t", `=${first.tmux_session}`]);
  await factory.started(2);
  expect(performance.now() - since).toBeLessThan(60_000);
  const prompt = factory.left("prompt-1-2");
  expect(prompt).toContain(
    "Resume from phase: implementation, last working on: the error messages of the parser",
  );
  expect(prompt).toContain(`You are a continuation of dev-1-1@${factory.project}.`);
  const draft = join(factory.projectDir, "workspaces/dev-1/draft.txt");
  expect(readFileSync(draft, "utf8")).toBe("half\n");
});

test("AC-2.5: the hook file is whole at every moment, however often the daemon is killed", async () => {
  await using factory = await sessionFactory(`
i=0
while :; do
  i=$((i + 1))
  spool "{\\"v\\":1,\\"at\\":1,\\"kind\\":\\"hook\\",\\"summary\\":\\"step $i $(printf 'x%.0s' 1 2 3 4 5 6 7 8 9)\\"}"
  [ "$i" -gt 3000 ] && sleep 600
done
`);
  await factory.addIssue({ title: "Talk" });
  let reads = 0;
  const summaries = new Set<string>();
  const path = join(factory.projectDir, "state/hooks/dev-1.json");
  const read = (): void => {
    try {
      summaries.add((JSON.parse(readFileSync(path, "utf8")) as HookView).work_summary);
      reads += 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  };
  for (let kill = 0; kill < 5; kill += 1) {
    const daemon = await factory.daemon();
    const enough = reads + 200;
    await factory.until("the hook was read often, and changed meanwhile", async () => {
      for (let time = 0; time < 20; time += 1) {
        read();
        await wait(1);
      }
      return reads > enough && summaries.size > 5;
    });
    daemon.kill("SIGKILL");
    await daemon.ended;
    read();
  }
  expect(reads).toBeGreaterThan(1000);
});

test("after landing the hook says merged", async () => {
  await using factory = await sessionFactory(`
echo done > done.txt
git add -A && git commit -qm Work && phase awaiting_ci
message landed >/dev/null
`);
  await factory.addIssue({ title: "Land" });
  await factory.daemon();
  await factory.until("it has landed", async () => (await factory.runOf(1)).outcome === "landed");
  await factory.until("the hook says so", async () => factory.hookFile().status === "merged");
  expect(factory.hookFile()).toMatchObject({ work_phase: "completion" });
});
