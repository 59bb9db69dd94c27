// Invariants of a project for every backlog and every course of its runs.
import fc from "fast-check";
import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { PROVEN } from "../../../test/support/proven.ts";
import { PROJECT } from "../../../test/support/run.ts";
import { assert } from "../../lib/assert.ts";
import { emptyOutput } from "../effect.ts";
import type { Event } from "../event.ts";
import type { Project } from "./project.ts";
import { stepProject } from "./step-project.ts";

const PARALLEL = 3;
const FIRST: Event[] = [
  {
    kind: "project-registered",
    at: 0,
    name: PROJECT,
    root: "/toy",
    upstream: { kind: "local", path: "/toy" },
  },
  {
    kind: "project-configured",
    at: 0,
    config: { ...testConfig(), parallel: PARALLEL },
    source: "pawl.toml",
  },
  PROVEN,
];

/** What may happen next, chosen by a number: a look at the backlog, an end, a clearing, a pause. */
function chosen(project: Project, chance: number): Event {
  const { active, leaving } = project;
  const ended = active[chance % Math.max(1, active.length)];
  if (chance % 4 === 0 && ended !== undefined) {
    const outcome = { kind: "blocked", reason: "r" } as const;
    return { kind: "run-ended", at: chance, run: ended.run, outcome, epoch: chance };
  }
  const left = leaving[chance % Math.max(1, leaving.length)];
  if (chance % 4 === 1 && left !== undefined) {
    return { kind: "run-cleared", at: chance, run: left.run };
  }
  if (chance % 9 === 2) return { kind: "project-paused", at: chance, by: "ada", why: "holiday" };
  if (chance % 9 === 3) return { kind: "project-resumed", at: chance };
  const issues = [1, 2, 3, 4, 5, 6].map((number) => {
    const unmet = (chance >> number) % 3 === 0 ? [99] : [];
    return { number, title: "T", labels: ["backlog"], createdAt: number, unmet };
  });
  return { kind: "issues-observed", at: chance, issues };
}

function check(project: Project, requested: Set<string>, output = emptyOutput()): void {
  assert(project.active.length <= PARALLEL, "more runs than places");
  const runs = [...project.active, ...project.leaving];
  assert(new Set(runs.map(({ issue }) => issue)).size === runs.length, "an issue has two runs");
  assert(new Set(runs.map(({ slot }) => slot)).size === runs.length, "two runs share their ports");
  for (const { to } of output.tells.filter(({ event }) => event.kind === "run-requested")) {
    assert(!requested.has(to), `${to} was started twice`);
    requested.add(to);
  }
}

test("no issue has two runs, no run two starts, no ports two users, and places are never exceeded", () => {
  const property = fc.property(fc.array(fc.nat(9999), { maxLength: 60, size: "max" }), (taken) => {
    const requested = new Set<string>();
    let project: Project | undefined;
    for (const event of FIRST) project = stepProject(project, event, emptyOutput());
    for (const chance of taken) {
      const output = emptyOutput();
      project = stepProject(project, chosen(project!, chance), output)!;
      check(project, requested, output);
    }
  });
  const details = fc.check(property, { numRuns: 200 });
  expect(details.failed ? fc.defaultReportMessage(details) : undefined).toBeUndefined();
});
