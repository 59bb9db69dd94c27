// Every formula that comes with Pawl, with all of its steps: the standing roles find something to
// do, and a daemon that is killed after a step neither repeats nor skips anything.
import type { FormulaRunView } from "../../../src/api/formulas.ts";
import type { IssueView } from "../../../src/api/issues.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, type Factory } from "../../../test/support/pawl.ts";
import { BUILT_IN, fileRequests, ROLE_FILES } from "../../../test/support/roles.ts";
import { expectEqual, noProcessLeft, type Scenario } from "../scenario.ts";

export const roles: Scenario = {
  name: "every step of every formula",
  points: /^formula\./,
  make: async () => {
    const config = `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}`;
    const factory = await makeFactory({ config, files: ROLE_FILES });
    await fileRequests(factory);
    // Three runs end blocked: a sign for the predictor.
    await factory.pawl("run", "--until-idle");
    for (const name of BUILT_IN) {
      const more = name === "tour" ? ["--var", "loud=yes"] : [];
      await factory.ok("formula", "run", name, ...more, "--detach");
    }
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: async (factory) => [
    ...(await checkSteps(factory)),
    ...(await checkForge(factory)),
    ...expectEqual("the memory landed", show(factory, "planner/MEMORY.md"), "The disk is small."),
    ...expectEqual("the journal landed", show(factory, JOURNAL), "a ring of two issues"),
    ...(await noProcessLeft(factory)),
  ],
};

const JOURNAL = "supervisor/journal/2026-03-01.md";
const show = (factory: Factory, path: string): string => factory.git("show", `main:${path}`);

async function checkSteps(factory: Factory): Promise<string[]> {
  const runs = await factory.client.get<FormulaRunView[]>("/v1/formulas/runs");
  const own = runs.filter(({ formula }) => BUILT_IN.includes(formula));
  const bad = own.filter(({ state }) => state !== "done").map(({ id }) => id);
  return [
    ...expectEqual("every formula ran once", own.length, BUILT_IN.length),
    ...expectEqual("every formula is done", bad, []),
  ];
}

async function checkForge(factory: Factory): Promise<string[]> {
  const issues = await factory.client.get<IssueView[]>("/v1/issues?state=all");
  const titles = issues.map(({ title }) => title);
  const twice = titles.filter((title, at) => titles.indexOf(title) !== at);
  const made = ["Sweep up: docs", "Write the manual", "Clean the disk", "Runs will go on failing"];
  const said = async (number: number, words: string): Promise<number> =>
    (await factory.ok("issue", "show", String(number))).split(words).length - 1;
  return [
    ...expectEqual("no issue was made twice", twice, []),
    ...expectEqual(
      "every issue was made",
      made.filter((title) => !titles.includes(title)),
      [],
    ),
    ...expectEqual("the gardener's comment is there once", await said(3, "Which dates?"), 1),
    ...expectEqual("the supervisor's comment is there once", await said(8, "A ring."), 1),
    ...expectEqual("the reason is there once", await said(2, "the same as #1"), 1),
    ...expectEqual("what was bundled says so once", await said(5, "Bundled with"), 1),
  ];
}
