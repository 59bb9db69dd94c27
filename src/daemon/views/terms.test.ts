import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import type { Project } from "../../core/project/project.ts";
import { termsOf } from "./terms.ts";

const project = (change: Partial<Project>): Project =>
  ({
    root: "/toy",
    upstream: { kind: "local", path: "/toy" },
    config: testConfig(),
    ...change,
  }) as Project;

test("without a remote, nothing is pushed, and an agent without a budget is said to have none", () => {
  expect(termsOf(project({}))).toEqual([
    "landings: go to your branch main in /toy; nothing is pushed",
    "checks: sh test.sh",
    "issues: those labelled backlog in Pawl's own tracker",
    "agent: sh agent.sh",
    "walls: none: agents have all rights of your user ([isolation])",
    "budget: none: nothing limits what agents use ([budget]); 3 agents at once",
  ]);
});

test("a remote is named without its credentials, and so are forge, model, permissions and budget", () => {
  const { agent, ...config } = testConfig();
  const terms = termsOf(
    project({
      upstream: { kind: "remote", url: "https://ann:secret@forge.example/a/b.git", path: "/toy" },
      config: {
        ...config,
        agent: {
          ...agent,
          runtime: "claude",
          command: [],
          model: "opus",
          settings: { permissionMode: "plan" },
        },
        forge: { kind: "gitea", url: "https://forge.example", owner: "a", repo: "b" },
        budget: { run: { usd: 2 }, day: { tokens: 1_000_000 } },
      },
    }),
  );
  expect(terms).toEqual([
    "landings: are pushed to main on https://forge.example/a/b.git; branches are pushed there too",
    "checks: sh test.sh",
    "issues: those labelled backlog in a/b (https://forge.example); instructions count from a",
    "agent: Claude Code (claude), opus, permission mode plan",
    "walls: none: agents have all rights of your user ([isolation])",
    "budget: $2.00 for a run, 1,000,000 tokens for a day; 3 agents at once",
  ]);
});

test("walls are said with what agents reach through them", () => {
  const lists = { hosts: [], read: [], write: [], devices: [] };
  const isolation = { mode: "bwrap", network: "hosts", tmpMb: 16, ...lists } as const;
  const walls = (change: object) =>
    termsOf(project({ config: { ...testConfig(), isolation: { ...isolation, ...change } } })).find(
      (line) => line.startsWith("walls: "),
    );
  expect(walls({ hosts: ["pypi.org"] })).toBe(
    "walls: bwrap: a private home, their own workspace, network pypi.org",
  );
  expect(walls({ network: "none" })).toContain("their own workspace, network none");
});

test("a project without a configuration has no terms yet", () => {
  expect(termsOf(project({ config: undefined }))).toEqual([]);
});

test("what has to pass is named: gates, a CI server, or nothing", () => {
  const { ci, ...config } = testConfig();
  const checks = (change: Partial<typeof ci>) =>
    termsOf(project({ config: { ...config, ci: { ...ci, gates: [], ...change } } })).at(1);
  expect(checks({ none: true })).toBe("checks: none: whatever an agent commits lands ([ci])");
  const server = { kind: "forge", contexts: [] } as unknown as NonNullable<typeof ci.server>;
  expect(checks({ server })).toBe("checks: those of the forge");
});
