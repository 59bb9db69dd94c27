import { expect, test } from "vitest";
import { testConfig } from "../../test/support/config.ts";
import { asksForWork, forgeLacks, noWork, withSeenLabels } from "./forge-settings.ts";
import type { Project } from "./project/project.ts";

const forge = { kind: "gitea", url: "http://forge", owner: "team", repo: "app" } as const;
const forgeSettings = { labelsMissing: ["backlog"], merges: "hidden" } as const;
const project = (change: object): Project =>
  ({
    name: "toy",
    config: { ...testConfig(), forge },
    backlog: [],
    ...change,
  }) as unknown as Project;

test("a missing label is said until an issue has it, and nothing is said without a forge", () => {
  expect(forgeLacks(project({}))).toEqual({ label: false, merges: "shown" });
  expect(forgeLacks(project({ forgeSettings }))).toEqual({ label: true, merges: "hidden" });
  const seen = withSeenLabels(project({ forgeSettings }), [{ labels: ["backlog"] }]);
  expect(forgeLacks(seen).label).toBe(false);
  expect(forgeLacks(withSeenLabels(project({ forgeSettings }), [])).label).toBe(true);
  const own = project({ forgeSettings, config: testConfig() });
  expect(forgeLacks(own)).toEqual({ label: false, merges: "shown" });
});

const seen = (...labelSets: string[][]) => ({
  open: labelSets.length,
  isAnyAsked: labelSets.some((labels) => asksForWork({ labels })),
});

test("why there is nothing to do is said only where no open issue asks for work", () => {
  expect(noWork(project({}), seen())).toBe("team/app has no open issue");
  expect(noWork(project({ config: testConfig() }), seen())).toBe("toy has no open issue");
  expect(noWork(project({}), seen(["bug"]))).toContain("does not have the label `backlog`");
  expect(noWork(project({}), seen([], ["bug"]))).toContain("none of the 2 open issues");
  expect(noWork(project({}), seen([], ["blocked"]))).toBeNull();
  expect(noWork(project({}), seen(["backlog"]))).toBeNull();
});
