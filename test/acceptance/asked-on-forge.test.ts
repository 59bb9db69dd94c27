// What only a person can decide reaches people where they are: the owner of a repository is asked
// on the forge without any setting, and the gardener reads why an issue was given up.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { OWNER_TOKEN } from "../support/fake-gitea/server.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { ASKS, LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";
import { MAIN } from "../support/program.ts";

test("an escalation is posted on the forge to the owner by default, with its reason, and the owner's reply answers", async () => {
  await using factory = await makeForgeFactory({
    agent: shellAgent(),
    files: { "agent.sh": ASKS, "tests/a.sh": "true\n" },
  });
  const number = await factory.fileIssue("Paint it", "please");
  const daemon = factory.background("run");
  const { state } = factory.fake;
  const question = await factory.until("the owner is asked on the issue", async () =>
    state.comments.find(({ body }) => body.includes("which colour?")),
  );
  expect(question.body).toContain("Pawl needs a person");
  expect(question.body).toContain("@team: answer with a comment");
  await factory.post(`/issues/${number}/comments`, { body: "Blue." }, OWNER_TOKEN);
  await factory.ok("mail", "send", "deacon", "--subject", "LIFECYCLE");
  await factory.ok("patrol", "run", "deacon");
  await factory.until("the answer reached the agent, and its work landed", async () => {
    return (await factory.runOf(number)).outcome === "landed";
  });
  expect(factory.gitIn(factory.bare, "show", "main:answer.txt")).toContain("Blue.");
  daemon.kill("SIGTERM");
});

/** The dev agent breaks the gate and is given up; the gardener keeps what it was shown, and proposes. */
const AGENTS = `
case $PAWL_NAME in
  run-gardener-*)
    cp "$PAWL_INPUTS/preflight" "$SEEN/shown"
    echo '{"summary": "s", "changes": [], "questions": ["Unblock #1? The sky was repaired."]}' > "$PAWL_RESULT_FILE"
    echo PHASE:done > "$PAWL_PHASE_FILE" ;;
  *)
    [ -e "$SEEN/shown" ] || { echo broken > broken; git add -A; git commit -qm Break; echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"; } ;;
esac
sleep 1000
`;

test("a blocked issue's diagnostic has the last lines of the failure and reaches the gardener, who may propose to unblock it", async () => {
  const files = {
    "agent.sh": AGENTS,
    "test.sh": 'test ! -e broken || { echo "the sky is falling"; exit 3; }\n',
  };
  await using factory = await makeFactory({ files });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  const limits = `${LIMITS}ci_fixes = 0\nescalation_timeout = "1 s"\n`;
  const ci = '[ci]\ncommand = "sh test.sh"\n';
  factory.commit({ "pawl.toml": factory.config(`${agent}${ci}${limits}`) }, "Configure");
  await factory.addIssue({ title: "Hold the sky", body: "## Acceptance criteria\n\nIt stays." });
  const daemon = factory.background("daemon");
  await factory.until("it was given up", async () => {
    return (await factory.runOf(1)).outcome === "blocked";
  });
  await factory.until("the issue says why", async () =>
    (await factory.ok("issue", "show", "1")).includes("the sky is falling"),
  );
  await factory.ok("formula", "run", "run-gardener", "--detach");
  await factory.until("the gardener's proposal is with the operator", async () =>
    (await factory.ok("escalation", "list")).includes("Unblock #1? The sky was repaired."),
  );
  const shown = factory.read("shown");
  expect(shown).toContain("#1 is blocked");
  expect(shown).toContain("Pawl could not complete this issue.");
  expect(shown).toContain("the sky is falling");
  daemon.kill("SIGTERM");
});

test("issue deps - reads a text from standard input and prints the numbers it depends on", async () => {
  await using factory = await makeFactory();
  const input = "Do it.\n\n## Dependencies\n- #12\n- #7\n\n## Notes\nsee #3\n";
  const options = { cwd: factory.root, env: factory.env, encoding: "utf8", input } as const;
  const ask = (...more: string[]): string =>
    spawnSync(process.execPath, [MAIN, "issue", "deps", "-", ...more], options).stdout;
  expect(ask()).toBe("7\n12\n");
  expect(JSON.parse(ask("--json"))).toEqual([7, 12]);
});
