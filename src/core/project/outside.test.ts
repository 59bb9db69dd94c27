import { expect, test } from "vitest";
import type { Output } from "../effect.ts";
import { commitId, projectName } from "../ids.ts";
import { foundAgain, withOutside } from "./outside.ts";
import type { Project } from "./project.ts";

const toy = projectName("toy");
const local = { kind: "local", path: "/r" } as const;
const remote = { kind: "remote", url: "https://forge/x.git", path: "/r" } as const;
const project = { kind: "project", name: toy, root: "/r", upstream: local } as unknown as Project;

function contextAt(at: number) {
  const output = { effects: [], tells: [], signals: [], cancelled: [] } as unknown as Output;
  return { at, output };
}

test("a commit past the merge queue is told to a person once, and said until it is acknowledged", () => {
  const commits = [{ commit: commitId("a".repeat(40)), subject: "Untested" }];
  const event = { kind: "outside-observed", at: 5, commits } as const;
  const first = contextAt(5);
  const noted = withOutside(project, event, first);
  expect(first.output.effects).toMatchObject([
    { effect: { kind: "notify", severity: "urgent", body: expect.stringContaining("Untested") } },
  ]);
  expect(noted.outside).toMatchObject([{ acknowledged: false, at: 5 }]);
  const again = contextAt(6);
  expect(withOutside(noted, { ...event, at: 6 }, again).outside).toEqual(noted.outside);
  expect(again.output.effects).toEqual([]);
  const done = withOutside(noted, { kind: "outside-acknowledged", at: 7 }, contextAt(7));
  expect(done.outside).toMatchObject([{ acknowledged: true }]);
});

test("another remote is told to a person once, however often the project is found again", () => {
  const event = {
    kind: "project-registered",
    at: 5,
    name: toy,
    root: "/r",
    upstream: local,
    asked: remote,
  } as const;
  const first = contextAt(5);
  const asked = foundAgain(project, event, first);
  expect(first.output.effects).toMatchObject([
    { effect: { kind: "notify", body: expect.stringContaining("nothing is pushed there") } },
  ]);
  const again = contextAt(9);
  expect(foundAgain(asked, { ...event, at: 9 }, again)).toEqual(asked);
  expect(again.output.effects).toEqual([]);
  const looked = { kind: "upstream-observed", at: 9, asked: remote } as const;
  expect(withOutside(asked, looked, again)).toEqual(asked);
  expect(again.output.effects).toEqual([]);
  const { asked: _, ...agreed } = { ...event, at: 10, upstream: remote };
  expect(foundAgain(asked, agreed, contextAt(10))).toMatchObject({ askedUpstream: undefined });
});

test("a look that began before the operator agreed to a remote does not ask about it again", () => {
  const agreed = { ...project, upstream: remote };
  const context = contextAt(11);
  const late = { kind: "upstream-observed", at: 11, asked: remote } as const;
  expect(withOutside(agreed, late, context).askedUpstream).toBeUndefined();
  expect(context.output.effects).toEqual([]);
});

test("a remote that is as it was before is not asked about any more", () => {
  const asked = { ...project, askedUpstream: remote, askedAt: 5 };
  const back = withOutside(asked, { kind: "upstream-observed", at: 12 }, contextAt(12));
  expect(back).toMatchObject({ upstream: local, askedUpstream: undefined, askedAt: undefined });
});
