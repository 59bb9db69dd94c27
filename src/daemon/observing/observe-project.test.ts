// What a look tells of an issue that is closed, or labelled by a person, under a run.
import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { createFakeClock } from "../../../test/support/clock.ts";
import { testRun } from "../../../test/support/run.ts";
import { commitId, runAggregate, runId } from "../../core/ids.ts";
import type { Issue } from "../../core/issue.ts";
import { withNews, type IssueFacts } from "../../core/project/backlog.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { IssueChange } from "../../ports/forge.ts";
import { newKnownIssues } from "./backlog-facts.ts";
import { observeProject, type ProjectObserveDeps } from "./observe-project.ts";
import type { Input } from "../engine/loop.ts";

const RUN = testRun({});
const ISSUE = RUN.work.kind === "issue" ? RUN.work.number : 0;
const CHANGES: IssueChange[] = [
  { kind: "unlabelled", label: "in-progress", by: "bo", at: 1 },
  { kind: "closed", by: "ann", at: 2 },
];

/** What is submitted to the run by a look that finds its issue like this. */
async function seen(issue: { state: string; labels: string[] }, landing: boolean) {
  const told = await look(issue, { landing, parallel: 1 });
  return told.filter(({ event }) => event.kind === "issue-observed").map(({ event }) => event);
}

/** What is submitted by a look; `parallel`: in the pawl.toml that it reads. */
async function look(
  issue: { state: string; labels: string[] },
  { landing, parallel }: { landing: boolean; parallel: number },
): Promise<Input[]> {
  const told: Input[] = [];
  const written = { ...testConfig(), parallel: 1 };
  // As the journal gives it back.
  const config = JSON.parse(JSON.stringify(written)) as typeof written;
  const active = [{ run: RUN.id, issue: ISSUE }];
  const project = {
    kind: "project",
    name: RUN.project,
    config,
    observedAt: 0,
    backlog: [],
    active,
  };
  const entry = { id: 1, branch: RUN.branch };
  const queue = { kind: "queue", entries: [entry], ...(landing && { landing: { entries: [1] } }) };
  const states = new Map<string, unknown>([
    [`project:${RUN.project}`, project],
    [`run:${RUN.project}/${RUN.id}`, RUN],
    [`queue:${RUN.project}`, queue],
  ]);
  const whole = { number: ISSUE, title: "t", body: "", author: "ann", createdAt: 0, ...issue };
  const forge = {
    issues: async () => (issue.state === "open" ? [whole] : []),
    issue: async () => whole,
    timeline: async () => CHANGES,
    comments: async () => [],
  };
  const git = { fetchTarget: async () => commitId("a".repeat(40)), outside: async () => [] };
  const deps = {
    store: { load: async (id: string) => (states.has(id) ? { state: states.get(id) } : undefined) },
    ports: { project: async () => ({ git, forge }) },
    loop: { submit: async (input: Input) => told.push(input) > 0 },
    clock: createFakeClock(),
    readConfig: async () => ({ kind: "valid", config: { ...written, parallel }, source: "target" }),
  } as unknown as ProjectObserveDeps;
  await observeProject(deps, RUN.project, { withTarget: true, issues: newKnownIssues() });
  return told;
}

test("a configuration is told of when it changed, and not where it only was written down and read", async () => {
  const open = { state: "open", labels: ["in-progress"] };
  const kinds = async (parallel: number) =>
    (await look(open, { landing: false, parallel })).map(({ event }) => event.kind);
  expect(await kinds(1)).not.toContain("project-configured");
  expect(await kinds(2)).toContain("project-configured");
});

/** What looks tell of the backlog, one after the other, of a forge that always gives the same list. */
async function looksAt(issue: Partial<Issue>, others: Map<number, Partial<Issue>>) {
  const listed = [{ number: 5, title: "t", body: "", createdAt: 0, ...issue, state: "open" }];
  const { loop, store, states } = memory();
  const forge = {
    issues: async () => listed,
    issue: async (number: number) => others.get(number),
    comments: async () => [],
  };
  const deps = {
    store,
    ports: { project: async () => ({ forge }) },
    loop,
    clock: createFakeClock(),
  } as unknown as ProjectObserveDeps;
  const issues = newKnownIssues();
  const look = async (): Promise<IssueFacts[][]> => {
    loop.told.length = 0;
    await observeProject(deps, RUN.project, { withTarget: false, issues });
    return loop.told.flatMap(({ event }) =>
      event.kind === "issues-observed" ? [event.issues] : [],
    );
  };
  return { look, states };
}

/** A project without runs in a journal that takes in what is seen. */
function memory() {
  const project = { kind: "project", name: RUN.project, backlog: [] as IssueFacts[], active: [] };
  const states = new Map<string, object>([[`project:${RUN.project}`, project]]);
  const told: Input[] = [];
  const submit = async ({ to, event }: Input): Promise<boolean> => {
    told.push({ to, event });
    if (event.kind !== "issues-observed") return true;
    const before = { ...project, ...states.get(to) };
    const backlog = withNews(before.backlog, event);
    const seenRevision = event.seen?.revision;
    states.set(to, { ...before, backlog, observedAt: event.at, seenRevision });
    return true;
  };
  const load = async (id: string) => (states.has(id) ? { state: states.get(id) } : undefined);
  return { states, loop: { told, submit }, store: { load } };
}

test("issues of a forge that counts its changes are listed again only after a change of them", async () => {
  const { loop, store, states } = memory();
  let [revision, lists, version, asked, whole] = [1, 0, 1, 0, 0];
  const facts = { number: 5, title: "t", body: "", labels: ["backlog"], createdAt: 0 };
  const made = new Map<number, object[]>();
  const forge = {
    revision: async () => String(revision),
    // The same list, as long as nothing changed.
    issues: async () => {
      lists += 1;
      const list = made.get(revision) ?? [{ ...facts, title: `title ${revision}`, state: "open" }];
      made.set(revision, list);
      return list;
    },
    issue: async () => {
      asked += 1;
      return { ...facts, state: "open" };
    },
    comments: async () => [],
  };
  const id = `project:${RUN.project}`;
  const stored = () => ({ id, version, state: states.get(id) });
  const deps = {
    store: {
      ...store,
      load: async () => {
        whole += 1;
        return stored();
      },
      aggregates: async () => [stored()],
    },
    ports: { project: async () => ({ forge }) },
    loop: {
      submit: (input: Input) => {
        version += 1;
        return loop.submit(input);
      },
    },
    clock: createFakeClock(),
  } as unknown as ProjectObserveDeps;
  let issues = newKnownIssues();
  const look = async (): Promise<number> => {
    await observeProject(deps, RUN.project, { withTarget: false, issues });
    return lists;
  };
  expect([await look(), await look(), await look()]).toEqual([1, 1, 1]);
  revision += 1;
  expect([await look(), await look()]).toEqual([2, 2]);
  expect(states.get(id)).toMatchObject({ backlog: [{ title: "title 2" }] });
  // Another change of the project, and a daemon that starts: both compare nothing, and read no backlog.
  version += 1;
  issues = newKnownIssues();
  const read = whole;
  expect([await look(), await look(), whole]).toEqual([2, 2, read]);
  // A run that ends takes its issue out of the backlog.
  states.set(id, { ...states.get(id), backlog: [], seenRevision: undefined });
  version += 1;
  expect([await look(), await look()]).toEqual([3, 3]);
  expect(states.get(id)).toMatchObject({ backlog: [{ title: "title 2" }] });
  // The issue of a run is not among those that the project has listed: it is asked for by itself.
  const begin = (): void => {
    states.set(id, { ...states.get(id), active: [{ run: RUN.id, issue: 5 }] });
    version += 1;
  };
  begin();
  expect([await look(), await look(), asked]).toEqual([3, 3, 1]);
  revision += 1;
  await look();
  begin();
  await look();
  await look();
  expect([lists, asked]).toEqual([4, 2]);
});

test("the same list is told once, until what it depends on outside of it changes", async () => {
  const others = new Map<number, Partial<Issue>>();
  const { look } = await looksAt({ labels: ["backlog"], body: "Depends on #9" }, others);
  expect(await look()).toMatchObject([[{ number: 5, unmet: [9] }]]);
  expect([await look(), await look()]).toEqual([[], []]);
  others.set(9, { number: 9, state: "closed" });
  expect(await look()).toMatchObject([[{ number: 5, unmet: [] }]]);
  expect([await look(), await look()]).toEqual([[], []]);
});

test("an action that may begin again is told of, though its list is the same as ever", async () => {
  const { look, states } = await looksAt({ labels: ["action"] }, new Map());
  expect(await look()).toHaveLength(1);
  expect([await look(), await look()]).toEqual([[], []]);
  const stage = { kind: "ended", outcome: { kind: "done" }, at: 0 };
  states.set(`action:${RUN.project}/5`, { kind: "action", stage });
  expect(await look()).toHaveLength(1);
});

test("an issue that is closed while its landing is under way is the landing's to tell", async () => {
  const closed = { state: "closed", labels: [] };
  expect(await seen(closed, true)).toEqual([]);
  expect(await seen(closed, false)).toMatchObject([{ state: "closed", by: "ann" }]);
});

test("the account that removed a label is named", async () => {
  expect(await seen({ state: "open", labels: ["backlog"] }, false)).toMatchObject([
    { state: "open", labels: ["backlog"], by: "bo" },
  ]);
  expect(await seen({ state: "open", labels: ["in-progress"] }, false)).toEqual([]);
});

test("a run whose pull request the forge does not know any more keeps no other and no verdict from being looked at", async () => {
  const second = { ...RUN, id: runId("6.1") };
  const active = [
    { run: RUN.id, issue: 5 },
    { run: second.id, issue: 6 },
  ];
  const config = { ...testConfig(), forge: { ...testConfig().forge, operators: ["ann"] } };
  const project = { kind: "project", name: RUN.project, config, backlog: [], active };
  const states = new Map<string, unknown>([
    [`project:${RUN.project}`, project],
    [`run:${RUN.project}/${RUN.id}`, RUN],
    [`run:${RUN.project}/${second.id}`, second],
  ]);
  const told: Input[] = [];
  const forge = {
    issues: async () => [],
    issue: async (number: number) => {
      if (number === 5) throw new OperationError("404", { code: "http-refused" });
      return { number, state: "closed", title: "t", body: "", labels: [], createdAt: 0 };
    },
    timeline: async () => CHANGES,
    comments: async () => [],
  };
  const listed: unknown[] = [];
  const deps = {
    store: {
      load: async (id: string) => (states.has(id) ? { state: states.get(id) } : undefined),
      aggregates: async (what: unknown) => {
        listed.push(what);
        return [];
      },
    },
    ports: { project: async () => ({ forge }) },
    loop: { submit: async (input: Input) => told.push(input) > 0 },
    clock: createFakeClock(),
  } as unknown as ProjectObserveDeps;
  const looked = observeProject(deps, RUN.project, { withTarget: false, issues: newKnownIssues() });
  await expect(looked).rejects.toThrow("404");
  expect(listed).toEqual([{ project: RUN.project, kind: "vault" }]);
  const closed = told.filter(({ event }) => event.kind === "issue-observed").map(({ to }) => to);
  expect(closed).toEqual([runAggregate(RUN.project, second.id)]);
});
