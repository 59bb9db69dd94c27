// The standing roles end to end, with every agent and every tracker: one factory in which all five
// find something to do, the answers of their agents, and what must be true afterwards.
// The answers are a script of the repository, which the script agent and Claude Code both run.
import { globSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import type { FormulaRunView } from "../../src/api/formulas.ts";
import type { IssueView } from "../../src/api/issues.ts";
import type { RoleRoundView } from "../../src/api/roles.ts";
import type { Factory } from "./pawl.ts";

/** By the worker's name: formula and step, or the number of the action's issue. */
const ANSWERS = `answer() { cat > "$PAWL_RESULT_FILE"; }
first() { [ ! -e "$PAWL_RESULT_FILE.asked" ] && : > "$PAWL_RESULT_FILE.asked"; }
journal() { mkdir -p "$1/journal"; echo "$2" > "$1/journal/2026-03-01.md"; }
work='\\n\\n\`\`\`sh\\necho swept > swept.txt\\n\`\`\`\\n[[bash: echo swept > swept.txt; git add -A; git commit -qm Sweep; echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"]]'
case $PAWL_NAME in
  run-gardener-grooming)
    if first; then echo '{"changes": [{"kind": "merge"}]}' | answer; exit; fi
    small() { printf '{"issue": %s, "group": "docs", "title": "piece %s", "reason": "small%s"}' "$1" "$1" "$2"; }
    { echo '{"summary": "groomed", "changes": [
      {"kind": "close", "issue": 2, "reason": "the same as #1"},
      {"kind": "comment", "issue": 3, "body": "Which dates?"},
      {"kind": "close", "issue": 99, "reason": "not there"}],
      "questions": ["Is March special?"], "dust": ['
      small 4 "$(printf %s "$work" | sed 's/"/\\\\"/g')"; echo ,; small 5; echo ,; small 6; echo ']}'
    } | answer ;;
  run-gardener-agents-update)
    printf '<!-- last-reviewed: %s -->\\n# For agents\\n' "$(git rev-parse HEAD)" > AGENTS.md ;;
  run-supervisor-decide-actions)
    echo '{"summary": "looked", "changes": [{"kind": "comment", "issue": 8, "body": "A ring."}]}' | answer ;;
  run-supervisor-journal) journal supervisor "a ring of two issues" ;;
  run-predictor-analyze-and-predict) answer <<'JSON'
{"changes": [{"kind": "create-issue", "title": "Runs will go on failing", "labels": ["backlog"],
 "body": "They all fail.\\n\\nSignal source: runs\\nConfidence: high\\nSuggested action: look"}]}
JSON
  ;;
  run-planner-strategic-planning)
    one='{"kind": "create-issue", "title": "Write the manual", "body": "All of it.", "labels": ["vision"]}'
    if first; then echo "{\\"changes\\": [$one,$one,$one,$one,$one,$one]}" | answer; exit; fi
    fresh=$(sed -n 's/.*prediction #\\([0-9]*\\) waits for triage: Runs.*/\\1/p' "$PAWL_INPUTS/preflight")
    watch=$([ -z "$fresh" ] || printf ', {"kind": "triage", "issue": %s, "outcome": "watch", "reason": "perhaps"}' "$fresh")
    act='Clean.\\n\\n\`\`\`sh action\\nsh answers.sh\\n\`\`\`\\n[[bash: sh answers.sh; echo PHASE:done > \\"$PAWL_PHASE_FILE\\"]]'
    answer <<JSON
{"summary": "planned", "changes": [$one,
 {"kind": "triage", "issue": 7, "outcome": "action", "reason": "soon", "title": "Clean the disk", "body": "$act"}
 $watch]}
JSON
  ;;
  run-planner-journal-and-memory)
    journal planner "promoted one" && echo "The disk is small." > planner/MEMORY.md ;;
  operate-report)
    grep -q "Mind the cat" "$PAWL_PROMPT_FILE" && echo "with $(cat "$PAWL_INPUTS/greet")" | answer ;;
  13) grep -q "The old ones only" "$PAWL_PROMPT_FILE" && echo "Removed the old ones." | answer ;;
  14) echo operated > operated.txt && echo "Wrote it down." | answer ;;
  *) echo "Cleaned." | answer ;;
esac
`;

const DONE = `printf 'PHASE:done\\n' > "$PAWL_PHASE_FILE"`;
const SAVE = `git add -A && { git diff --cached --quiet || git commit -qm "$PAWL_NAME"; }`;
/** For both agents: each reads what is meant for it. */
const asks = (tag = "sh"): string =>
  `\`\`\`${tag}\nsh answers.sh\n\`\`\`\n\n\`\`\`sh on-refused\nsh answers.sh\n\`\`\`\n\n` +
  `[[bash: sh answers.sh && ${SAVE} && ${DONE}]] [[on refused]][[bash: sh answers.sh && ${DONE}]][[end]]`;

const layer = (...steps: string[]): string =>
  steps
    .map(
      (id) =>
        `[[step-overrides]]\nstep_id = "${id}"\nmode = "append"\ndescription = '''${asks()}'''\n`,
    )
    .join("\n");

export const ROLE_FILES = {
  "answers.sh": ANSWERS,
  "VISION.md": "Everything is described.\n",
  "AGENTS.md": "# For agents\n",
  ".pawl/formulas/run-gardener.toml": layer("grooming", "agents-update"),
  ".pawl/formulas/run-supervisor.toml": layer("decide-actions", "journal"),
  ".pawl/formulas/run-predictor.toml": layer("analyze-and-predict"),
  ".pawl/formulas/run-planner.toml": layer("strategic-planning", "journal-and-memory"),
  ".pawl/formulas/operate.toml": `name = "operate"
[vars.who]
required = true
[[steps]]
id = "greet"
run = 'echo "$PAWL_VAR_WHO"'
[[steps]]
id = "report"
needs = ["greet"]
description = '''${asks()}'''
`,
};

const issuesOf = async (factory: Factory): Promise<IssueView[]> =>
  JSON.parse(await factory.ok("issue", "list", "--state", "all", "--json")) as IssueView[];

/** By number, from 1: what each role finds something in. */
function requests(): { title: string; body: string; labels: string[] }[] {
  const plain = "x".repeat(150);
  // What a preflight quotes of it ends before the words that are meant for its own agent.
  const impossible = `${"x".repeat(700)}\n\`\`\`sh\nfalse\n\`\`\`\n[[bash: printf 'PHASE:failed\\nReason: impossible\\n' > "$PAWL_PHASE_FILE"]]`;
  const front = "---\nformula: operate\nvars:\n  who: Ada\nmodel: haiku\n---\n";
  const wish = (title: string, label: string, body = plain) => ({ title, body, labels: [label] });
  return [
    wish("Fix the date parser", "vision"),
    wish("Fix date parser", "vision"),
    wish("March is missing", "tech-debt"),
    ...["Spell colour", "Explain flags", "Link pages"].map((title) => wish(title, "tech-debt")),
    wish("The disk will be full", "prediction/unreviewed"),
    wish("Hen", "vision", "Depends on #9"),
    wish("Egg", "vision", "Depends on #8"),
    ...["here", "there", "anywhere"].map((where) =>
      wish(`Square the circle ${where}`, "backlog", impossible),
    ),
    wish("Remove the logs", "action", asks("sh action")),
    wish("Operate in a file", "action", asks("sh action")),
    wish("Operate by a formula", "action", `${front}As every week.`),
  ];
}

type Say = (issue: number, body: string) => Promise<unknown>;

const byCommand =
  (factory: Factory): Say =>
  (issue, body) =>
    factory.ok("issue", "comment", String(issue), "--body", body);

/** `say`: as a person does; a comment of Pawl's own account on a forge instructs no agent. */
export async function fileRequests(factory: Factory, say: Say = byCommand(factory)): Promise<void> {
  writeFileSync(join(factory.root, "requests.json"), JSON.stringify(requests()));
  await factory.ok("issue", "import", join(factory.root, "requests.json"));
  await say(13, "The old ones only.");
  await say(15, "Mind the cat.");
}

/** All formulas that come with Pawl. */
export const BUILT_IN = globSync("formulas/*.toml", { cwd: join(import.meta.dirname, "../..") })
  .map((file) => basename(file, ".toml"))
  .toSorted();

const ROLES = ["gardener", "supervisor", "predictor", "planner"];

async function begin(factory: Factory, roles: string[]): Promise<void> {
  for (const role of roles) await factory.ok("formula", "run", `run-${role}`, "--detach");
  await factory.pawl("run", "--until-idle");
}

async function statesOf(factory: Factory, id: string): Promise<string[]> {
  const text = await factory.ok("formula", "status", id, "--json");
  const { steps } = JSON.parse(text) as FormulaRunView;
  return steps.map((step) => `${step.id} ${step.status}`);
}

/** All five once, and all but the action once more; `show` reads a file of the target. */
export async function playRoles(
  factory: Factory,
  show: (path: string) => string,
  say?: Say,
): Promise<RoleRoundView[]> {
  await fileRequests(factory, say);
  // First the operations, and three runs that end blocked: a sign for the predictor.
  await factory.pawl("run", "--until-idle");
  await checkActions(factory, show);
  await begin(factory, ["gardener", "supervisor", "predictor"]);
  await begin(factory, ["planner"]);
  const rounds = await checkRounds(factory);
  await checkIssues(factory);
  await checkQuestion(factory);
  expect(show("AGENTS.md")).toMatch(/^<!-- last-reviewed: [0-9a-f]{40} -->/);
  expect(show("supervisor/journal/2026-03-01.md")).toContain("a ring");
  expect(show("planner/MEMORY.md")).toContain("The disk is small");
  await checkQuiet(factory);
  return rounds;
}

async function checkActions(factory: Factory, show: (path: string) => string): Promise<void> {
  const issues = await issuesOf(factory);
  const actions = issues.filter(({ labels }) => labels.includes("action"));
  expect(actions.map(({ state }) => state)).toEqual(["closed", "closed", "closed"]);
  expect(await factory.ok("issue", "show", "13")).toContain("Removed the old ones.");
  expect(show("operated.txt")).toContain("operated");
  const report = await factory.ok("formula", "status", "action-15.1", "--json");
  expect((JSON.parse(report) as FormulaRunView).steps.at(-1)?.output?.trim()).toBe("with Ada");
}

/** What was found, answered, done and left out is kept, with what would undo it. */
async function checkRounds(factory: Factory): Promise<RoleRoundView[]> {
  for (const role of ROLES) {
    const states = await statesOf(factory, `run-${role}.1`);
    expect(states.filter((state) => !state.endsWith(" done"))).toEqual([]);
  }
  const rounds = JSON.parse(await factory.ok("role", "log", "--json")) as RoleRoundView[];
  expect(rounds.map(({ role }) => role).toSorted()).toEqual(ROLES.toSorted());
  const groomed = rounds.find(({ role }) => role === "gardener");
  expect(groomed?.found).toContain("P3 the titles of #1 and #2 mean the same");
  expect(groomed?.planned).toContain("close #2 (to undo: pawl issue reopen 2)");
  expect(groomed?.done).toContain("changed #2 (closed) (to undo: pawl issue reopen 2)");
  expect(groomed?.left).toEqual(["close of #99 is left out: it is not open"]);
  expect(JSON.parse(groomed?.answer ?? "")).toMatchObject({ summary: "groomed" });
  expect(await factory.ok("role", "log", "planner", "--all-projects")).toContain(
    "Write the manual",
  );
  return rounds;
}

async function checkIssues(factory: Factory): Promise<void> {
  const issues = await issuesOf(factory);
  const found = (title: string): (string | undefined)[] =>
    issues
      .filter((issue) => issue.title === title)
      .flatMap(({ state, labels }) => [state, ...labels.toSorted()]);
  const closed = issues.filter(({ state }) => state === "closed").map(({ number }) => number);
  expect(closed).toEqual(expect.arrayContaining([2, 4, 5, 6, 7]));
  expect(found("Sweep up: docs")[0]).toBe("closed");
  expect(found("The disk will be full")).toEqual(["closed", "prediction/actioned"]);
  // What was promoted to an operation was carried out at once.
  expect(found("Clean the disk")).toEqual(["closed", "action"]);
  expect(found("Write the manual")).toEqual(["open", "vision"]);
  expect(found("Runs will go on failing")).toEqual(["open", "prediction/backlog"]);
  expect(await factory.ok("issue", "show", "3")).toContain("Which dates?");
  expect(await factory.ok("issue", "show", "8")).toContain("A ring.");
}

/** A role's question stands where people look for questions; the answer is a letter to the role. */
async function checkQuestion(factory: Factory): Promise<void> {
  const list = async () =>
    JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[];
  const isMeant = ({ reason }: EscalationView): boolean => reason === "Is March special?";
  const [asked] = (await list()).filter(isMeant);
  const { waits } = await factory.status();
  const command = `pawl escalation answer ${asked?.identity} "…"`;
  expect(waits).toContainEqual(
    expect.objectContaining({ why: "Is March special?", needs_you: true, command }),
  );
  await factory.ok("escalation", "answer", asked?.identity ?? "", "Only in leap years.");
  expect((await list()).filter(isMeant)).toEqual([]);
  const inbox = await factory.ok("mail", "inbox", "--for", "gardener", "--json");
  expect(inbox).toContain("Only in leap years.");
}

/** Nothing new was found: no session starts, nothing changes. */
async function checkQuiet(factory: Factory): Promise<void> {
  const before = await issuesOf(factory);
  const { runs } = await factory.status();
  await begin(factory, ["gardener", "supervisor", "planner"]);
  expect(await statesOf(factory, "run-gardener.2")).toEqual([
    "preflight done",
    "grooming skipped",
    "apply skipped",
    "agents-check done",
    "agents-update skipped",
    "agents-note skipped",
  ]);
  expect((await statesOf(factory, "run-supervisor.2")).slice(2)).toEqual([
    "decide-actions skipped",
    "report skipped",
    "journal skipped",
  ]);
  expect(await statesOf(factory, "run-planner.2")).toContain("strategic-planning skipped");
  expect((await factory.status()).runs).toHaveLength(runs.length);
  expect(await issuesOf(factory)).toEqual(before);
}
