// The standing roles through the commands a user types: rules find, an agent judges, code carries
// out. The agent here is a script that answers by its role.
import { expect, test } from "vitest";
import type { FormulaRunView } from "../../src/api/formulas.ts";
import type { IssueView } from "../../src/api/issues.ts";
import { LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

const ANSWERS = `
if [ "$PAWL_ROLE" = dev ]; then
  if grep -q "Square the circle" "$PAWL_PROMPT_FILE"; then
    printf 'PHASE:failed\\nReason: impossible\\n' > "$PAWL_PHASE_FILE"
    exit
  fi
  date > swept && git add swept && git commit -qm "Sweep up"
  echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
  exit
fi
case $PAWL_ROLE-$PAWL_EPOCH in
  gardener-*)
    if [ ! -e "$PAWL_RESULT_FILE.asked" ]; then
      : > "$PAWL_RESULT_FILE.asked"
      printf '{"changes": [{"kind": "merge"}]}' > "$PAWL_RESULT_FILE"
    fi ;;
esac
answer() {
  case $PAWL_ROLE in
    action) echo "Removed the old logs." ;;
    supervisor) cat <<'JSON'
{"summary": "looked", "changes": [{"kind": "comment", "issue": 1, "body": "Nobody is at work."}]}
JSON
    ;;
    predictor) cat <<'JSON'
{"changes": [{"kind": "create-issue", "title": "Runs will go on failing", "labels": ["backlog"],
 "body": "They all fail.\\n\\nSignal source: runs\\nConfidence: high\\nSuggested action: look"}]}
JSON
    ;;
    gardener) cat <<'JSON'
{"summary": "groomed", "changes": [
 {"kind": "close", "issue": 2, "reason": "the same as #1"},
 {"kind": "comment", "issue": 3, "body": "Which dates?"},
 {"kind": "close", "issue": 99, "reason": "not there"}],
 "dust": [{"issue": 4, "group": "docs", "title": "a", "reason": "small"},
          {"issue": 5, "group": "docs", "title": "b", "reason": "small"},
          {"issue": 6, "group": "docs", "title": "c", "reason": "small"}],
 "questions": ["Is March special?"]}
JSON
    ;;
    planner) cat <<'JSON'
{"summary": "planned", "changes": [
 {"kind": "triage", "issue": 7, "outcome": "action", "reason": "soon", "title": "Clean the disk", "body": "Remove old logs."},
 {"kind": "create-issue", "title": "Write the manual", "body": "All of it.", "labels": ["vision"]}]}
JSON
    ;;
  esac
}
first=$(cat "$PAWL_RESULT_FILE" 2>/dev/null)
[ -n "$first" ] || answer > "$PAWL_RESULT_FILE"
say() { printf 'PHASE:done\\n' > "$PAWL_PHASE_FILE.new"; mv "$PAWL_PHASE_FILE.new" "$PAWL_PHASE_FILE"; }
say
while :; do
  for file in "$PAWL_INBOX"/new/*.md; do
    [ -f "$file" ] || continue
    mv "$file" "$PAWL_INBOX/cur/"
    answer > "$PAWL_RESULT_FILE"
    say
  done
  sleep 0.05
done
`;

const issues = async (factory: Factory): Promise<IssueView[]> =>
  JSON.parse(await factory.ok("issue", "list", "--state", "all", "--json")) as IssueView[];
const outcome = async (factory: Factory, id: string): Promise<FormulaRunView> =>
  JSON.parse(await factory.ok("formula", "status", id, "--json")) as FormulaRunView;

test("gardener, planner, supervisor and predictor: found by rules, judged by an agent, sent back when wrong, carried out once", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}`,
    files: { "agent.sh": ANSWERS, "VISION.md": "Everything is described.\n" },
  });
  const body = "x".repeat(150);
  const add = (title: string, ...labels: string[]): Promise<unknown> =>
    factory.ok(
      "issue",
      "add",
      "--title",
      title,
      "--body",
      body,
      ...labels.flatMap((one) => ["--label", one]),
    );
  await add("Fix the date parser", "vision");
  await add("Fix date parser", "vision");
  await add("March is missing", "blocked");
  await add("Spell colour", "tech-debt");
  await add("Explain flags", "tech-debt");
  await add("Link pages", "tech-debt");
  await add("The disk will be full", "prediction/unreviewed");

  const round = async (formula: string): Promise<void> => {
    await factory.pawl("formula", "run", formula);
    await factory.pawl("run", "--until-idle");
  };
  await round("run-gardener");
  const groomed = await outcome(factory, "run-gardener.1");
  expect(groomed.steps.map(({ id, status }) => [id, status])).toEqual([
    ["preflight", "done"],
    ["grooming", "done"],
    ["apply", "done"],
  ]);
  expect(groomed.steps[0]?.output).toContain("duplicate:1:2");
  const said = groomed.steps[2]?.output ?? "";
  expect(said).toContain("close of #99 is left out: it is not open");
  expect(said).toContain("to undo: pawl issue reopen 2");
  const after = await issues(factory);
  expect(after.filter(({ state }) => state === "closed").map(({ number }) => number)).toEqual([
    2, 4, 5, 6, 8,
  ]);
  // What was bundled went to an agent like any issue of the backlog.
  expect(after.find(({ number }) => number === 8)).toMatchObject({ title: "Sweep up: docs" });

  await round("run-gardener");
  const quiet = await outcome(factory, "run-gardener.2");
  expect(quiet.steps.map(({ id, status }) => [id, status])).toEqual([
    ["preflight", "done"],
    ["grooming", "skipped"],
    ["apply", "skipped"],
  ]);

  await round("run-planner");
  const planned = await issues(factory);
  expect(planned.find(({ number }) => number === 7)).toMatchObject({
    state: "closed",
    labels: ["prediction/actioned"],
  });
  // What was promoted to an operation was carried out at once.
  expect(planned.find(({ title }) => title === "Clean the disk")).toMatchObject({
    state: "closed",
    labels: ["action"],
  });
  expect(planned.find(({ title }) => title === "Write the manual")?.labels).toEqual(["vision"]);

  for (const where of ["here", "there", "anywhere"]) {
    await add(`Square the circle ${where}`, "backlog");
  }
  await round("run-supervisor");
  const watched = await outcome(factory, "run-supervisor.1");
  expect(watched.steps.map(({ id, status }) => [id, status])).toEqual([
    ["preflight", "done"],
    ["health-assessment", "done"],
    ["decide-actions", "done"],
    ["report", "done"],
  ]);
  // The operator was told by rules alone, whatever the agent had to say.
  expect(watched.steps[1]?.output).toBe("P2: 3 issues are ready, and nobody works");
  expect(await factory.ok("issue", "show", "1")).toContain("Nobody is at work.");

  await round("run-predictor");
  const predicted = (await issues(factory)).find(
    ({ title }) => title === "Runs will go on failing",
  );
  expect(predicted).toMatchObject({ state: "open", labels: ["prediction/unreviewed"] });
});
