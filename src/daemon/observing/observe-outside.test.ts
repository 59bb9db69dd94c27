import { expect, test } from "vitest";
import { createFakeClock } from "../../../test/support/clock.ts";
import { emptyOutput } from "../../core/effect.ts";
import { commitId, type Commit } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { stepProject } from "../../core/project/step-project.ts";
import { newKnownIssues } from "./backlog-facts.ts";
import { observeProject, type ProjectObserveDeps } from "./observe-project.ts";
import type { Input } from "../engine/loop.ts";

const TARGET = commitId("f".repeat(40));
const pushed = (count: number, from = 0): Commit[] =>
  Array.from({ length: count }, (_, index) => commitId(String(index + from).padStart(40, "0")));

/** A project whose git tells of the newest 20 pushes that were not acknowledged. */
function world(
  tracker: { issues?: () => Promise<never[]>; revision?: () => Promise<number> } = {},
) {
  let project = { kind: "project", name: "toy", backlog: [], active: [], observedAt: 0 } as unknown;
  let refs: Commit[] = [];
  let count = 0;
  const outside = async ({ acknowledged }: { acknowledged: readonly Commit[] }) => {
    refs = refs.filter((ref) => !acknowledged.includes(ref));
    const newest = refs.toReversed().slice(0, 20);
    return newest.map((commit) => ({ commit, subject: "s" }));
  };
  const submit = async ({ event }: Input): Promise<boolean> => {
    count += 1;
    project = stepProject(project as Project, event, emptyOutput());
    return true;
  };
  const deps = {
    store: { load: async (id: string) => (id === "project:toy" ? { state: project } : undefined) },
    ports: {
      project: async () => ({
        git: { fetchTarget: async () => TARGET, outside },
        forge: { issues: async () => [], ...tracker },
      }),
    },
    loop: { submit },
    clock: createFakeClock(),
    readConfig: async () => ({ kind: "invalid", problem: "none" }),
  } as unknown as ProjectObserveDeps;
  return {
    push: (commits: Commit[]) => void refs.push(...commits),
    look: () =>
      observeProject(deps, (project as Project).name, {
        withTarget: true,
        issues: newKnownIssues(),
      }),
    acknowledge: () => submit({ event: { kind: "outside-acknowledged", at: 0 } } as Input),
    said: () =>
      ((project as Project).outside ?? [])
        .filter((one) => !one.acknowledged)
        .map(({ commit }) => commit)
        .toSorted(),
    state: () => project as Project,
    events: () => count,
  };
}

test("each push past the queue is told of once, and none comes back that was acknowledged", async () => {
  const { push, look, acknowledge, said, state } = world();
  for (const commit of pushed(20)) {
    push([commit]);
    await look();
  }
  expect(said()).toEqual(pushed(20));
  await acknowledge();
  for (const commit of pushed(3, 20)) {
    push([commit]);
    await look();
  }
  expect(said()).toEqual(pushed(3, 20));
  expect(state().outside).toHaveLength(3);
});

test("of many pushes 20 are told of, and the others when these are acknowledged", async () => {
  const { push, look, acknowledge, said, events } = world();
  push(pushed(25));
  await look();
  expect(said()).toEqual(pushed(20, 5));
  push(pushed(1, 25));
  const before = events();
  await look();
  expect(events()).toBe(before);
  await acknowledge();
  await look();
  expect(said()).toEqual([...pushed(5), ...pushed(1, 25)]);
});

test.each(["issues", "revision"])(
  "a forge that fails to tell its %s hides neither the target, nor pushes past the queue, nor the configuration",
  async (asked) => {
    const outage = new Error("the forge is out of reach");
    const { push, look, said, state } = world({ [asked]: () => Promise.reject(outage) });
    push(pushed(1));
    await expect(look()).rejects.toBe(outage);
    expect(said()).toEqual(pushed(1));
    expect(state().configProblem).toBe("none");
  },
);
