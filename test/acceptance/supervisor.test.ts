// The supervisor through the commands a user types: what is pressing stands in `status` and as a
// question, the answer reaches it, it is shown the factory and its guide, and it keeps to its journal.
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import type { FormulaRunView } from "../../src/api/formulas.ts";
import type { RoleRoundView } from "../../src/api/roles.ts";
import { LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";

/** A guard, not a claim: four sessions on a busy machine. */
const GUARD_MS = 300_000;

/** Says what it was shown. Its journal comes with a file that is not its own, until it is told. */
const AGENT = `
case $PAWL_NAME in
  *-journal)
    mkdir -p supervisor/journal && echo "a ring" > supervisor/journal/today.md && echo x > other.txt
    git add -A && git commit -qm Journal && echo PHASE:done > "$PAWL_PHASE_FILE"
    while :; do
      for message in "$PAWL_INBOX"/new/*.md; do
        [ -e "$message" ] || continue
        mv "$message" "$PAWL_INBOX/cur/"
        [ -e other.txt ] || continue
        git rm -q other.txt && git commit -qm "Only the journal" && echo PHASE:done > "$PAWL_PHASE_FILE"
      done
      sleep 0.1
    done ;;
  [0-9]*)
    printf 'PHASE:escalate\\nReason: which colour?\\n' > "$PAWL_PHASE_FILE"
    while :; do sleep 0.1; done ;;
  *)
    seen=""
    for words in "Guide of the supervisor" "Mind the cellar"; do
      grep -q "$words" "$PAWL_PROMPT_FILE" && seen="$seen$words; "
    done
    for words in loadPerCore containers sessions '"ci"' backlog blocked stale_workspaces '"log"' "Leave it so"; do
      grep -q "$words" "$PAWL_INPUTS/preflight" && seen="$seen$(echo "$words" | tr -d '"'); "
    done
    echo "{\\"summary\\": \\"$seen\\", \\"changes\\": []}" > "$PAWL_RESULT_FILE"
    echo PHASE:done > "$PAWL_PHASE_FILE"
    while :; do sleep 0.1; done ;;
esac
`;

const SHOWN =
  "Guide of the supervisor; Mind the cellar; loadPerCore; containers; sessions; ci; backlog; blocked; stale_workspaces; log; ";

test(
  "what is pressing is a question that people answer, and the answer reaches the supervisor",
  async () => {
    await using factory = await makeFactory({
      config: `${shellAgent()}[ci]\nnone = true\n[review]\nrequired = true\n${LIMITS}`,
      parallel: 1,
      files: { "agent.sh": AGENT, ".pawl/guides/supervisor.md": "Mind the cellar.\n" },
    });
    await factory.ok("init");
    const round = async (id: number, ...more: string[]): Promise<FormulaRunView> => {
      await factory.ok("formula", "run", "run-supervisor", "--detach", ...more);
      await factory.pawl("run", "--until-idle");
      const text = await factory.ok("formula", "status", `run-supervisor.${id}`, "--json");
      return JSON.parse(text) as FormulaRunView;
    };
    const output = (view: FormulaRunView, step: string): string =>
      view.steps.find(({ id }) => id === step)?.output ?? "";
    const questions = async (): Promise<EscalationView[]> =>
      (JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[]).filter(
        ({ reason }) => reason.startsWith("P2:"),
      );
    const ring = async (title: string, other: number): Promise<void> => {
      const body = `${"x".repeat(150)}\n\nDepends on #${other}`;
      await factory.ok("issue", "add", "--title", title, "--body", body, "--label", "vision");
    };
    await ring("Hen", 2);
    await ring("Egg", 1);
    // The only place is taken by an agent that waits for a person.
    for (const title of ["Ask", "Then this"]) {
      await factory.ok("issue", "add", "--title", title, "--body", "x", "--label", "backlog");
    }
    await factory.pawl("run", "--until-idle");
    const first = await round(1, "--var", "journal=no");
    expect(output(first, "decide-actions")).toContain(SHOWN);
    const [asked] = await questions();
    expect(asked?.reason).toContain("P2: 1 issues are ready");
    const { waits } = await factory.status();
    expect(waits.map(({ why }) => why).join()).toContain("P2: 1 issues are ready");
    const log = JSON.parse(await factory.ok("role", "log", "--json")) as RoleRoundView[];
    expect(log.flatMap(({ done }) => done).join("\n")).toContain(
      "asked what to do about P2: 1 issues are ready",
    );

    await factory.ok("escalation", "answer", asked?.identity ?? "", "Leave it so");
    const second = await round(2, "--var", "journal=no");
    expect(output(second, "decide-actions")).toContain("Leave it so");
    expect(await questions()).toEqual([]);

    await ring("Cart", 6);
    await ring("Horse", 5);
    // Nothing lands without a review here, but for what a role keeps for itself.
    const third = await round(3);
    expect(third.steps.map(({ id, status }) => `${id} ${status}`)).toContain("journal done");
    const landed = factory.git("ls-tree", "-r", "--name-only", "main").split("\n");
    expect(landed).toContain("supervisor/journal/today.md");
    expect(landed).not.toContain("other.txt");
  },
  GUARD_MS,
);
