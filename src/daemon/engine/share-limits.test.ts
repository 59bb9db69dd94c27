import { expect, test, vi } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { emptyOutput } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import { projectAggregate, projectName, runId } from "../../core/ids.ts";
import { stepProject } from "../../core/project/step-project.ts";
import type { Project } from "../../core/project/project.ts";
import { createMemoryStore } from "../../store/memory.ts";
import type { Engine } from "./engine.ts";
import type { Committed, Input } from "./loop.ts";
import { shareLimits } from "./share-limits.ts";

const FIRST = projectName("first");
const OTHER = projectName("other");

function projectOf(name: typeof FIRST, ...events: Event[]): Project {
  const upstream = { kind: "local", path: "/p" } as const;
  const begun: Event[] = [
    { kind: "project-registered", at: 0, name, root: "/p", upstream },
    { kind: "project-configured", at: 0, config: testConfig(), source: "pawl.toml" },
  ];
  let project: Project | undefined;
  for (const event of [...begun, ...events]) project = stepProject(project, event, emptyOutput());
  if (project === undefined) throw new Error("no project");
  return project;
}

test.each([
  ["a long one", {}],
  ["a short one", { isShort: true as const }],
])("another project hears of a limit as it is (%s), and not that a run asks", async (_, more) => {
  const store = createMemoryStore();
  const id = projectAggregate(OTHER);
  await store.transaction((tx) => tx.save(id, projectOf(OTHER), undefined));
  const told: Input[] = [];
  let commit: ((committed: Committed) => void) | undefined;
  const engine = {
    onCommitted: (listener: (committed: Committed) => void) => {
      commit = listener;
      return () => undefined;
    },
    loop: { submit: (input: Input) => Promise.resolve(told.push(input) > 0) },
  } as unknown as Engine;
  const onError = (error: unknown): void => {
    throw error;
  };
  shareLimits({ engine, store, now: () => 7, onError });
  const limit = { kind: "account-limited", at: 5, until: 900, reason: "429", ...more } as const;
  const state = projectOf(FIRST, { ...limit, run: runId("1.1") });
  commit?.({ changed: [{ id: projectAggregate(FIRST), state }], effects: [], cancelled: [] });
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 20_000 });
  expect(told).toEqual([{ to: id, event: { ...limit, at: 7, account: "command" } }]);
});
