// Formulas as others write them: the patrol of nine steps and the step lists of the standing roles,
// in which an agent does everything. They load, validate, draw and run to their end, side by side.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FormulaRunView } from "../../src/api/formulas.ts";
import { LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";

/** A guard, not a claim: 27 sessions on a busy machine. */
const GUARD_MS = 480_000;
const FIXTURES = join(import.meta.dirname, "../fixtures/formulas");

/** Steps that are told to commit do; all others say what they did. */
const AGENT = `
case $PAWL_NAME in
  *-commit-and-pr | *-journal)
    echo "$PAWL_NAME" > "$PAWL_NAME.txt" && git add -A && git commit -qm "$PAWL_NAME" ;;
  *) ls "$PAWL_INPUTS" > "$PAWL_RESULT_FILE" && echo "did $PAWL_NAME" >> "$PAWL_RESULT_FILE" ;;
esac
echo PHASE:done > "$PAWL_PHASE_FILE"
while :; do sleep 0.1; done
`;

test(
  "formulas in which agents do everything run to their end, and what they commit lands",
  async () => {
    const names = globSync("*.toml", { cwd: FIXTURES }).toSorted();
    await using factory = await makeFactory({
      config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}`,
      patienceMs: GUARD_MS,
      files: {
        "agent.sh": AGENT,
        ...Object.fromEntries(
          names.map((name) => [name, readFileSync(join(FIXTURES, name), "utf8")]),
        ),
      },
    });
    expect(names).toHaveLength(5);
    await factory.ok("init");
    expect(await factory.ok("formula", "validate", ...names)).toBe("");
    for (const name of names) {
      expect(await factory.ok("formula", "show", name, "--dot")).toContain("->");
      await factory.ok("formula", "run", name, "--detach");
    }
    await factory.ok("run", "--until-idle");
    const views = await Promise.all(
      (await factory.client.get<FormulaRunView[]>("/v1/formulas/runs")).map(({ id }) =>
        factory.client.get<FormulaRunView>(`/v1/formulas/runs/${id}`),
      ),
    );
    expect(views.map(({ state }) => state)).toEqual(names.map(() => "done"));
    const steps = views.flatMap((view) => view.steps);
    expect(steps.filter(({ status }) => status !== "done")).toEqual([]);
    expect(steps).toHaveLength(9 + 5 + 5 + 5 + 3);
    // The last of the patrol knows what every one before it came to.
    const last = steps.find(({ id }) => id === "loop-or-exit");
    expect(last?.output?.trim().split("\n")).toEqual([
      ..."context-check gate-evaluation health-scan inbox-check orphan-check session-gc".split(" "),
      "trigger-pending-spawns",
      "did mol-deacon-patrol-loop-or-exit",
    ]);
    const landed = factory.git("ls-tree", "--name-only", "main").split("\n");
    expect(landed).toEqual(
      expect.arrayContaining([
        "run-gardener-commit-and-pr.txt",
        "run-planner-commit-and-pr.txt",
        "run-supervisor-journal.txt",
      ]),
    );
    await factory.nothingLeft();
  },
  GUARD_MS,
);
