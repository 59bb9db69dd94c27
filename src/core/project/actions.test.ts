import { expect, test } from "vitest";
import { emptyOutput } from "../effect.ts";
import { projectName } from "../ids.ts";
import { letActionsGo, wantActions } from "./actions.ts";
import type { IssueFacts } from "./backlog.ts";
import type { Project } from "./project.ts";

const issue = (number: number, labels: string[], unmet: number[] = []): IssueFacts => ({
  number,
  title: `t${number}`,
  labels,
  createdAt: 0,
  unmet,
});
const project = (backlog: IssueFacts[], paused?: Project["paused"]): Project =>
  ({ name: projectName("toy"), backlog, paused }) as unknown as Project;
const told = (act: (context: { at: number; output: ReturnType<typeof emptyOutput> }) => void) => {
  const output = emptyOutput();
  act({ at: 1, output });
  return output.tells.map(({ to, event }) => `${to} ${event.kind}`);
};

test("action issues that are ready are wanted; blocked, taken and waiting ones are not", () => {
  const backlog = [
    issue(1, ["action"]),
    issue(2, ["action", "blocked"]),
    issue(3, ["action", "in-progress"]),
    issue(4, ["action"], [9]),
    issue(5, ["backlog"]),
  ];
  expect(told((context) => wantActions(project(backlog), context))).toEqual([
    "action:toy/1 action-wanted",
  ]);
});

test("a project that is paused wants nothing", () => {
  const paused = { by: "ada", why: "holiday", at: 0 };
  expect(told((context) => wantActions(project([issue(1, ["action"])], paused), context))).toEqual(
    [],
  );
});

test("an action whose issue is gone is let go", () => {
  const before = project([issue(1, ["action"]), issue(2, ["action"]), issue(3, ["backlog"])]);
  expect(told((context) => letActionsGo(before, [issue(2, ["action"])], context))).toEqual([
    "action:toy/1 action-unwanted",
  ]);
});

test("a thousand of them are begun in portions, and none is left out for good", () => {
  const backlog = Array.from({ length: 1_050 }, (_, index) => issue(index + 1, ["action"]));
  let state = project(backlog);
  const begun = new Set<string>();
  for (let look = 0; look < 11; look += 1) {
    const tells = told((context) => {
      state = wantActions(state, context);
    });
    expect(tells).toHaveLength(100);
    for (const tell of tells) begun.add(tell);
  }
  expect(begun.size).toBe(1_050);
});
