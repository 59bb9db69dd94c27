// Formulas as other systems write them, one of each kind: imported, checked, and run to their end by
// agents. What was dropped is said; what they are made of is found.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FormulaRow, FormulaRunView } from "../../src/api/formulas.ts";
import { LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";

/** A guard, not a claim: 20 sessions on a busy machine. */
const GUARD_MS = 480_000;
const FIELD = join(import.meta.dirname, "../fixtures/field-formulas");

/** Each says what it was told about its own step, and which results it could read. */
const AGENT = `
{ sed '/^## What/,$d' "$PAWL_PROMPT_FILE"; echo "inputs: $(ls "$PAWL_INPUTS" | tr '\\n' ' ')"; } > "$PAWL_RESULT_FILE"
echo PHASE:done > "$PAWL_PHASE_FILE"
while :; do sleep 0.1; done
`;

test(
  "formulas of the field are imported with what was dropped, and run to their end",
  async () => {
    const names = globSync("*.toml", { cwd: FIELD }).toSorted();
    await using factory = await makeFactory({
      config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}`,
      patienceMs: GUARD_MS,
      files: {
        "agent.sh": AGENT,
        ...Object.fromEntries(
          names.map((name) => [`field/${name}`, readFileSync(join(FIELD, name), "utf8")]),
        ),
      },
    });
    await factory.ok("init");
    // As they are, they are refused: files are read strictly.
    const strict = await factory.pawl("formula", "validate", "field/bake.formula.toml");
    expect([strict.code, strict.stdout]).toMatchObject([
      1,
      expect.stringContaining("pour is a key of other systems. `pawl formula import FILE`"),
    ]);
    const files = names.map((name) => `field/${name}`);
    const imported = await factory.pawl("formula", "import", ...files);
    expect([imported.code, imported.stdout.trim().split("\n")]).toEqual([
      0,
      names.map((name) => `.pawl/formulas/${name.replace(".formula", "")}`),
    ]);
    expect(imported.stderr).toContain("bake: pour is dropped");
    expect(imported.stderr).toContain("6 formulas imported");
    const again = await factory.pawl("formula", "import", "--print", "field/letter.formula.toml");
    expect(again.stdout).toContain("{{if who}}Send it to {{who}}.{{else}}Keep it.{{end}}");
    const elsewhere = ["formula", "import", "--to", "elsewhere", "field/letter.formula.toml"];
    expect(await factory.ok(...elsewhere)).toBe("elsewhere/letter.toml");
    writeFileSync(join(factory.repo, "elsewhere/letter.toml"), "mine = true\n");
    const kept = await factory.pawl(...elsewhere);
    expect([kept.code, kept.stderr]).toMatchObject([
      2,
      expect.stringContaining("elsewhere/letter.toml already exists"),
    ]);
    await factory.ok(...elsewhere, "--force");
    const rows = JSON.parse(await factory.ok("formula", "list", "--json")) as FormulaRow[];
    expect(rows.filter(({ from }) => from === "project")).toMatchObject([
      { name: "bake", steps: 13, part: null, problem: null },
      { name: "guarded", part: "aspect", problem: null },
      { name: "letter", steps: 2, part: null, problem: null },
      { name: "letter-careful", steps: 5, part: null, problem: null },
      { name: "survey", steps: 3, part: null, problem: null },
      { name: "twice-read", part: "expansion", problem: null },
    ]);
    const part = await factory.pawl("formula", "run", "guarded");
    expect([part.code, part.stderr]).toMatchObject([
      1,
      expect.stringContaining("guarded is an aspect: it cannot be run by itself"),
    ]);
    const missing = await factory.pawl("formula", "run", "survey");
    expect([missing.code, missing.stderr]).toMatchObject([
      2,
      expect.stringContaining('variable "house" is required (a house number)'),
    ]);

    await factory.ok("formula", "run", "bake", "--var", "cake=pie", "--detach");
    // A file finds what it is made of beside itself.
    const file = ".pawl/formulas/letter-careful.toml";
    await factory.ok("formula", "run", file, "--var", "who=Ada", "--detach");
    await factory.ok("formula", "run", "survey", "--var", "street=Elm", "--detach");
    await factory.ok("run", "--until-idle");
    const view = async (id: string): Promise<FormulaRunView> =>
      factory.client.get<FormulaRunView>(`/v1/formulas/runs/${id}`);
    const [bake, letter, survey] = await Promise.all(
      ["bake.1", "letter-careful.1", "survey.1"].map(view),
    );
    const outcome = (one: FormulaRunView | undefined) => [
      one?.state,
      ...(one?.steps.filter(({ status }) => status !== "done").map(({ id }) => id) ?? []),
    ];
    // `box` is only for eight guests.
    expect([outcome(bake), outcome(letter), outcome(survey)]).toEqual([
      ["done", "box"],
      ["done"],
      ["done"],
    ]);
    const said = (one: FormulaRunView | undefined, id: string): string =>
      one?.steps.find((step) => step.id === id)?.output ?? "";
    expect(said(bake, "read-recipe")).toContain("Read `recipes/pie.md` for 4 guests");
    expect(said(letter, "send-draft")).toContain("First try at: Send it to Ada.");
    expect(said(letter, "send-draft")).toContain("inputs: write write-look write-look-again");
    expect(said(survey, "cellar")).toContain("Survey by survey: what is below");
    expect(said(survey, "cellar")).toContain("Street Elm:");
    expect(said(survey, "cellar")).not.toContain("House");
    expect(said(survey, "synthesis")).toContain("inputs: cellar roof");
    await factory.nothingLeft();
  },
  GUARD_MS,
);
