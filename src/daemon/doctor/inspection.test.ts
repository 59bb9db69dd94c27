import { expect, test } from "vitest";
import { projectAggregate, projectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createInspection, type InspectionFacts } from "./inspection.ts";

test("projects are looked at without their backlogs: the daemon stood still while it read them", async () => {
  const store = createMemoryStore();
  const name = projectName("toy");
  const backlog = [{ number: 1, title: "One", labels: [], unmet: [] }];
  const project = { kind: "project", name, root: "/toy", backlog } as unknown as Project;
  await store.transaction((tx) => tx.save(projectAggregate(name), project, undefined));
  const ports = { clock: { now: () => 0 } };
  const { projects } = createInspection({ store, ports } as unknown as InspectionFacts);
  expect(await projects()).toMatchObject([{ name, root: "/toy", backlog: [] }]);
});
