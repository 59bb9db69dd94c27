import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { projectAggregate, projectName } from "../../core/ids.ts";
import { step } from "../../core/step.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { noLog } from "./no-log.ts";
import { pathsOf } from "./paths.ts";
import { createPorts } from "./wire.ts";

test("a project has one git, also for those who ask at the same time", async () => {
  const store = createMemoryStore();
  const name = projectName("toy");
  const id = projectAggregate(name);
  const upstream = { kind: "local", path: "/nowhere/toy" } as const;
  const registered = step(id, undefined, {
    kind: "project-registered",
    at: 1,
    name,
    root: "/nowhere/toy",
    upstream,
  }).state;
  const config = testConfig();
  const { state } = step(id, registered, {
    kind: "project-configured",
    at: 2,
    config,
    source: "target",
  });
  if (state === undefined) throw new Error("a project without a state");
  await store.transaction((tx) => tx.save(id, state, undefined));
  const paths = pathsOf("/nowhere/home", "/nowhere/run");
  const ports = await createPorts({ store, paths, crash: noCrash, log: noLog });
  const [one, other] = await Promise.all([ports.project(name), ports.project(name)]);
  expect(one.git).toBe(other.git);
  expect((await ports.project(name)).git).toBe(one.git);
});
