// The contract between Pawl and an agent, kept by programs that know nothing of Pawl but what it tells them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stepsOf } from "../support/documents.ts";
import { LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";

const GATE = '[ci]\ncommand = "sh test.sh"\n';

/** Waits for the next message, shows it, and acknowledges it by moving the file. */
const NEXT = `
next() {
  until name=$(ls "$PAWL_INBOX/new" | grep '^m' | sort -V | head -1) && [ -n "$name" ]; do sleep 0.05; done
  cp "$PAWL_INBOX/new/$name" "$HOME/message-$1"
  mv "$PAWL_INBOX/new/$name" "$PAWL_INBOX/cur/$name"
}
`;

const OBEDIENT = `${NEXT}
env > "$HOME/environment"
tty > "$HOME/tty"
git branch --show-current > "$HOME/branch"
git remote get-url --push origin > "$HOME/push" 2>&1
cp "$PAWL_PROMPT_FILE" "$HOME/prompt"
printf 'PHASE:almost\\n' > "$PAWL_PHASE_FILE"
next invalid
echo done > done.txt && git add done.txt && git commit -qm "Do it"
printf 'PHASE:awaiting_ci\\n' > "/tmp/dev-session-$PROJECT_NAME-$ISSUE.phase"
next passed
printf '  PHASE:awaiting_review  \\n\\n' > "$PAWL_PHASE_FILE"
next landed
printf 'PHASE:done\\n' > "$PAWL_PHASE_FILE"
`;

const ALLOWED = [
  ..."HOME LANG PATH SHELL TERM TMPDIR USER LOGNAME LC_ALL LC_CTYPE TZ".split(" "),
  ..."GIT_EDITOR GIT_MERGE_AUTOEDIT GIT_PAGER GIT_SEQUENCE_EDITOR GIT_TERMINAL_PROMPT PAGER".split(
    " ",
  ),
  ..."PAWL_HOME PAWL_RUNTIME PAWL_PROMPT_FILE PAWL_PHASE_FILE PAWL_INBOX PAWL_SPOOL PAWL_HOOK_FILE PAWL_ROLE PAWL_NAME".split(
    " ",
  ),
  ..."PAWL_RESULT_FILE PAWL_INPUTS PAWL_RUN PAWL_EPOCH PAWL_PROJECT PAWL_ISSUE PROJECT_NAME ISSUE".split(
    " ",
  ),
  // The shell's own, and what the configuration names.
  ..."PWD OLDPWD SHLVL _ TMUX TMUX_PANE".split(" "),
  ..."PASSED GIVEN".split(" "),
];

test("an agent sees its allow-listed world, speaks in phases, and is answered in its inbox", async () => {
  const agent = shellAgent('pass_env = ["PASSED"]\nenv = { GIVEN = "as configured" }\n');
  await using factory = await makeFactory({
    // It ends by itself when it has read that its work landed.
    config: `${agent}${GATE}${LIMITS.replace('farewell = "1 s"', 'farewell = "60 s"')}`,
    files: { "agent.sh": OBEDIENT },
    env: { PASSED: "from the user", FORGE_TOKEN: "secret", FOREIGN: "none of its business" },
  });
  await factory.addIssue({ title: "Do it", body: "Please." });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);

  const seen = new Map(
    factory
      .read("user", "environment")
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect([...seen.keys()].filter((name) => !ALLOWED.includes(name))).toEqual([]);
  expect(seen.get("PASSED")).toBe("from the user");
  expect(seen.get("GIVEN")).toBe("as configured");
  expect(seen.get("PAWL_ROLE")).toBe("dev");
  expect(seen.get("PAWL_EPOCH")).toBe("1");
  expect(seen.get("ISSUE")).toBe("1");
  expect(seen.get("PROJECT_NAME")).toBe(factory.project);
  expect(factory.read("user", "tty")).toMatch(/^\/dev\/pts\//);
  expect(factory.read("user", "branch")).toBe("pawl/1-do-it\n");
  expect(factory.read("user", "push")).not.toContain(factory.repo);
  expect(factory.read("user", "prompt")).toContain("Please.");
  for (const phase of ["awaiting_ci", "awaiting_review", "escalate", "done", "failed"]) {
    expect(factory.read("user", "message-invalid")).toContain(`PHASE:${phase}`);
  }
  expect(factory.read("user", "message-passed")).toContain("CI passed");
  expect(factory.read("user", "message-landed")).toContain("Landed");
  const run = await factory.runOf(1);
  expect(run.messages.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "notice acknowledged",
    "ci-passed acknowledged",
    "landed acknowledged",
  ]);
  expect(run.epoch).toBe(1);
  expect(existsSync(`/tmp/dev-session-${factory.project}-1.phase`)).toBe(false);
  expect(existsSync(run.worktree_path)).toBe(false);
});

const ONE_SHOT = `
cp "$PAWL_PROMPT_FILE" "$HOME/prompt-$PAWL_EPOCH"
if [ "$PAWL_EPOCH" = 1 ]; then echo broken > state.txt; else echo whole > state.txt; fi
git add -A && git commit -qm "Life $PAWL_EPOCH" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

test("a one-shot agent is woken by red CI, with its text in the prompt, and by nothing else", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${GATE}${LIMITS}`,
    files: {
      "agent.sh": ONE_SHOT,
      "test.sh":
        '[ ! -e state.txt ] || { grep whole state.txt || { echo "it is broken"; exit 3; }; }\n',
    },
  });
  await factory.addIssue({ title: "Be whole" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.git("show", "main:state.txt")).toBe("whole");
  const prompt = factory.read("user", "prompt-2");
  expect(prompt).toContain("CI failed (fix 1 of 3)");
  expect(prompt).toContain("Exit code: 3");
  expect(prompt).toContain("it is broken");
  expect(prompt).toContain("You are a continuation of");
  expect(existsSync(join(factory.root, "user", "prompt-3"))).toBe(false);
  expect((await factory.runOf(1)).epoch).toBe(2);
  expect(await factory.client.get("/v1/signals?kind=AGENT_CRASHED")).toEqual([]);
});

/** The file that docs/agents.md tells the reader to write. */
function exampleAgent(): string {
  const page = join(import.meta.dirname, "../../docs/agents.md");
  const steps = stepsOf(readFileSync(page, "utf8"));
  const step = steps.find((one) => one.kind === "write" && one.name === "agent.sh");
  if (step?.kind !== "write") throw new Error("docs/agents.md has no agent.sh");
  return step.text;
}

test("the example in docs/agents.md asks, takes no retry for an answer, works on the answer, reports what it used, and lands", async () => {
  const config = `${shellAgent()}${GATE}${LIMITS}`;
  await using factory = await makeFactory({ config, files: { "agent.sh": exampleAgent() } });
  const issue = await factory.addIssue({ title: "Choose a colour" });
  expect(await factory.pawl("run", "--until-idle")).toMatchObject({ code: 8 });
  expect(await factory.ok("escalation", "list")).toContain("which colour?");
  // A retry is no answer: the agent asks again.
  await factory.ok("retry", String(issue));
  expect(await factory.pawl("run", "--until-idle")).toMatchObject({ code: 8 });
  expect(await factory.ok("escalation", "list")).toContain("which colour?");
  await factory.ok("escalation", "answer", String(issue), "green");
  await factory.ok("run", "--until-idle");
  expect(factory.git("show", "main:colour.txt")).toBe("green");
  expect(factory.subjects()).toEqual(["Use green"]);
  expect(JSON.parse(await factory.ok("costs", "--json"))).toMatchObject({
    total: { cost_usd: 0.25 },
  });
});
