import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { onGreenTarget, PROVEN } from "../../../test/support/proven.ts";
import { PROJECT, tellKinds } from "../../../test/support/run.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { commitId, runId } from "../ids.ts";
import type { IssueFacts } from "./backlog.ts";
import type { Project } from "./project.ts";
import { standstill } from "./standstill.ts";
import { projectDeadline, stepProject } from "./step-project.ts";

const registered: Event = {
  kind: "project-registered",
  at: 0,
  name: PROJECT,
  root: "/toy",
  upstream: { kind: "local", path: "/toy" },
};

const configured = (parallel: number): Event => ({
  kind: "project-configured",
  at: 0,
  config: { ...testConfig(), parallel },
  source: "pawl.toml",
});

const observed = (...numbers: number[]): Event => ({
  kind: "issues-observed",
  at: 0,
  issues: numbers.map((number): IssueFacts => {
    return { number, title: `Issue ${number}`, labels: ["backlog"], createdAt: number, unmet: [] };
  }),
});

const ended = (run: string, epoch = 1): Event => ({
  kind: "run-ended",
  at: 0,
  run: runId(run),
  outcome: { kind: "blocked", reason: "r" },
  epoch,
});

const cleared = (run: string): Event => ({ kind: "run-cleared", at: 0, run: runId(run) });

function after(...events: Event[]): { project: Project; output: Output } {
  let project: Project | undefined;
  let output = emptyOutput();
  for (const event of onGreenTarget(events)) {
    output = emptyOutput();
    project = stepProject(project, event, output);
  }
  return { project: project!, output };
}

const active = (project: Project): string[] => project.active.map(({ run }) => run);

test("registering a project opens its merge queue, once", () => {
  expect(tellKinds(after(registered).output)).toEqual(["queue-opened"]);
  const again = after(registered, { ...registered, root: "/moved" } as Event);
  expect(again.output.tells).toEqual([]);
  expect(again.project.root).toBe("/moved");
});

test("a project that does not exist takes nothing in", () => {
  expect(stepProject(undefined, observed(1), emptyOutput())).toBeUndefined();
});

test("ready issues are started in order, up to the number of places", () => {
  const { project } = after(registered, configured(2), observed(3, 1, 2));
  expect(active(project)).toEqual(["1.1", "2.1"]);
});

test("a look counts as complete only where no run ended since its comparison with the backlog", () => {
  const look = (backlogVersion: number): Event =>
    ({ ...observed(1, 2), seen: { revision: "7", backlogVersion } }) as Event;
  const first = after(registered, configured(1), look(0)).project;
  expect([first.seenRevision, first.backlogVersion]).toEqual(["7", 1]);
  const left = after(registered, configured(1), look(0), ended("1.1")).project;
  expect([left.seenRevision, left.backlogVersion]).toEqual([undefined, 2]);
  expect(left.backlog.map(({ number }) => number)).toEqual([2]);
  const late: Event = {
    kind: "issues-observed",
    at: 0,
    issues: [],
    seen: { revision: "7", backlogVersion: 1 },
  };
  const compared = [registered, configured(1), look(0), ended("1.1")];
  expect(after(...compared, late).project.seenRevision).toBeUndefined();
  expect(after(...compared, look(2)).project.seenRevision).toBe("7");
});

test("nothing starts before there is a configuration, and it starts as soon as there is", () => {
  expect(active(after(registered, observed(1)).project)).toEqual([]);
  expect(active(after(registered, observed(1), configured(1)).project)).toEqual(["1.1"]);
});

test("a run is given the configuration of that moment", () => {
  const { output } = after(registered, configured(1), observed(1));
  const [tell] = output.tells;
  expect(tell?.to).toBe("run:toy/1.1");
  expect(tell?.event).toMatchObject({ kind: "run-requested", config: { parallel: 1 }, slot: 0 });
});

test("a broken configuration leaves the last good one in force", () => {
  const rejected: Event = { kind: "config-rejected", at: 0, problem: "line 3" };
  const broken = after(registered, configured(2), rejected).project;
  expect([broken.config?.parallel, broken.configProblem]).toEqual([2, "line 3"]);
  const corrected = after(registered, configured(2), rejected, configured(1)).project;
  expect([corrected.config?.parallel, corrected.configProblem]).toEqual([1, undefined]);
});

test("a paused project starts nothing until it is resumed", () => {
  const paused: Event = { kind: "project-paused", at: 0, by: "ada", why: "holiday" };
  const events = [registered, configured(1), paused, observed(1)];
  expect(active(after(...events).project)).toEqual([]);
  expect(active(after(...events, { kind: "project-resumed", at: 1 }).project)).toEqual(["1.1"]);
});

test("an ended run gives its place to the next issue at once", () => {
  const { project } = after(registered, configured(1), observed(1, 2), ended("1.1"));
  expect(active(project)).toEqual(["2.1"]);
});

test("an issue is not attempted again while its last run is still being cleared away", () => {
  const events = [registered, configured(1), observed(1), ended("1.1", 4), observed(1)];
  expect(active(after(...events).project)).toEqual([]);
  const { project, output } = after(...events, cleared("1.1"));
  expect(active(project)).toEqual(["1.2"]);
  expect(output.tells[0]?.event).toMatchObject({ attempt: 2, lastEpoch: 4 });
});

test("the next run of an issue that was opened again knows what landed for it", () => {
  const head = commitId("aaa1");
  const landed = { ...ended("1.1"), outcome: { kind: "landed", commit: head }, head } as Event;
  const events = [registered, configured(1), observed(1), landed, observed(1), cleared("1.1")];
  expect(after(...events).output.tells[0]?.event).toMatchObject({ landedHead: head });
  const again = after(...events, ended("1.2"), observed(1), cleared("1.2"));
  expect(again.output.tells[0]?.event).toMatchObject({ run: "1.3", landedHead: head });
});

test("what landed after its run was withdrawn is known to the next run, also to one that has begun", () => {
  const head = commitId("aaa1");
  const late: Event = { kind: "head-landed", at: 0, issue: 1, head };
  const before = [registered, configured(1), observed(1), ended("1.1"), observed(1)];
  const next = after(...before, late, cleared("1.1"));
  expect(next.output.tells[0]?.event).toMatchObject({ run: "1.2", landedHead: head });
  const begun = after(...before, cleared("1.1"), late);
  expect(begun.output.tells).toEqual([
    { to: "run:toy/1.2", event: { kind: "run-head-landed", at: 0, head } },
  ]);
});

test("the ports of a run that is being cleared away are not given to another", () => {
  const events = [registered, configured(1), observed(1, 2), ended("1.1")];
  expect(after(...events).project.active).toMatchObject([{ run: "2.1", slot: 1 }]);
  const later = after(...events, cleared("1.1"), ended("2.1"), cleared("2.1"), observed(3));
  expect(later.project.active).toMatchObject([{ run: "3.1", slot: 0 }]);
});

test("the end of an unknown run changes nothing", () => {
  const { project, output } = after(registered, configured(1), observed(1), ended("9.9"));
  expect(active(project)).toEqual(["1.1"]);
  expect(output.tells).toEqual([]);
});

test("an issue whose labels are as old as its run waits for the next look", () => {
  const { project } = after(registered, configured(1), observed(1), ended("1.1"), cleared("1.1"));
  expect(active(project)).toEqual([]);
});

const limited = (until: number, run?: string): Event => ({
  kind: "account-limited",
  at: 0,
  until,
  reason: "rate_limit",
  ...(run === undefined ? {} : { run: runId(run) }),
});

test("while the account is at its limit no agent is started, and then work continues (defect 18)", () => {
  const output = emptyOutput();
  const events = [registered, PROVEN, configured(2), limited(1000), limited(500), observed(1, 2)];
  const waiting = events.reduce<Project | undefined>(
    (project, event) => stepProject(project, event, output),
    undefined,
  );
  expect(waiting).toMatchObject({ active: [], accounts: { command: { until: 1000 } } });
  const early = stepProject(waiting, { kind: "deadline-passed", at: 999 }, output);
  expect(early?.active).toEqual([]);
  const free = stepProject(waiting, { kind: "deadline-passed", at: 1000 }, output);
  expect(free?.active.map(({ issue }) => issue)).toEqual([1, 2]);
  expect(free?.accounts).toBeUndefined();
});

test("an agent that works again frees the account for all", () => {
  const output = emptyOutput();
  const events = [registered, PROVEN, configured(2), limited(1000), observed(1)];
  const waiting = events.reduce<Project | undefined>(
    (project, event) => stepProject(project, event, output),
    undefined,
  );
  const free = stepProject(waiting, { kind: "account-freed", at: 10 }, output);
  expect(free?.active).toHaveLength(1);
});

test("a person who wants to be asked after a limit is waited for, as long as a run needs the answer", () => {
  const agent = { ...testConfig().agent, limit: { ask: true, retryMs: 1000 } };
  const config = { ...testConfig(), parallel: 2, agent };
  const asking: Event = { kind: "project-configured", at: 0, config, source: "pawl.toml" };
  const past: Event = { kind: "deadline-passed", at: 2000 };
  const events = [registered, asking, observed(1), limited(1000, "1.1"), observed(1, 2), past];
  const { project: late } = after(...events);
  expect([active(late), projectDeadline(late)]).toEqual([["1.1"], undefined]);
  expect(standstill(late)).toContain("and until you agree");
  const said = after(...events, { kind: "account-freed", at: 2000 }).project;
  expect(active(said)).toEqual(["1.1", "2.1"]);
  const gone = after(...events, { ...ended("1.1"), at: 2000 } as Event).project;
  expect(active(gone)).toEqual(["2.1"]);
});

test("a limit that no run asks about ends by itself, also where a person wants to be asked", () => {
  const agent = { ...testConfig().agent, limit: { ask: true, retryMs: 1000 } };
  const config = { ...testConfig(), parallel: 3, agent };
  const asking: Event = { kind: "project-configured", at: 0, config, source: "pawl.toml" };
  const past: Event = { kind: "deadline-passed", at: 2000 };
  const begun = [registered, asking, observed(1, 2)];
  // Another project met it.
  const shared = after(...begun, limited(1000), observed(1, 2, 3)).project;
  expect([active(shared), projectDeadline(shared)]).toEqual([["1.1", "2.1"], 1000]);
  expect(standstill(shared)).not.toContain("until you agree");
  const later = after(...begun, limited(1000), observed(1, 2, 3), past).project;
  expect(active(later)).toEqual(["1.1", "2.1", "3.1"]);
  // Its own question stays, also where another project meets a longer limit.
  const own = [...begun, limited(900, "1.1"), limited(1000), observed(1, 2, 3), past];
  expect(active(after(...own).project)).toEqual(["1.1", "2.1"]);
  // The run that asked has ended, and another one still works.
  const gone = after(...own, { ...ended("1.1"), at: 2000 } as Event, past).project;
  expect(active(gone)).toEqual(["2.1", "3.1"]);
  // Two ask, and one of them has ended.
  const two = [...begun, limited(1000, "1.1"), limited(1000, "2.1"), observed(1, 2, 3), past];
  expect(active(after(...two, { ...ended("1.1"), at: 2000 } as Event).project)).toEqual(["2.1"]);
});

test("after a short limit agents resume by themselves, also where a person wants to be asked", () => {
  const agent = { ...testConfig().agent, limit: { ask: true, retryMs: 1000 } };
  const config = { ...testConfig(), parallel: 2, agent };
  const asking: Event = { kind: "project-configured", at: 0, config, source: "pawl.toml" };
  const short = { ...limited(1000), isShort: true } as Event;
  const past: Event = { kind: "deadline-passed", at: 1000 };
  const events = [registered, asking, observed(1), short, observed(1, 2)];
  expect(projectDeadline(after(...events).project)).toBe(1000);
  expect(active(after(...events, past).project)).toEqual(["1.1", "2.1"]);
});

test("whichever run a person answers, their word ends the wait for them, at the limit's own end", () => {
  const agent = { ...testConfig().agent, limit: { ask: true, retryMs: 1000 } };
  const config = { ...testConfig(), parallel: 2, agent };
  const asking: Event = { kind: "project-configured", at: 0, config, source: "pawl.toml" };
  const events = [registered, asking, observed(1), limited(1000, "1.1"), observed(1, 2)];
  const answered = (at: number): Event => ({ kind: "limit-answered", at });
  expect(active(after(...events, answered(2000)).project)).toEqual(["1.1", "2.1"]);
  const early = after(...events, answered(500)).project;
  expect([active(early), projectDeadline(early)]).toEqual([["1.1"], 1000]);
  const past: Event = { kind: "deadline-passed", at: 1000 };
  expect(active(after(...events, answered(500), past).project)).toEqual(["1.1", "2.1"]);
});

test("an issue waits for what its agent says it needs first, until that is closed", () => {
  const refused: Event = {
    kind: "run-ended",
    at: 0,
    run: runId("1.1"),
    outcome: { kind: "refused", why: "waits for #2", blockedBy: [2] },
    epoch: 1,
  };
  const before = [registered, configured(1), observed(1), refused, cleared("1.1")];
  const both = after(...before, observed(1, 2)).project;
  expect(active(both)).toEqual(["2.1"]);
  const open = observed(1, 2);
  expect(active(after(...before, open, ended("2.1"), cleared("2.1"), observed(1)).project)).toEqual(
    ["1.2"],
  );
});

test("attempts that a lost journal made are counted on, so that no run takes an old one's name", () => {
  const output = emptyOutput();
  let project: Project | undefined;
  const found: Event = { kind: "attempts-found", at: 0, issue: 1, attempts: 3 };
  for (const event of [registered, PROVEN, configured(1), found, observed(1)]) {
    project = stepProject(project, event, output);
  }
  expect(project?.active).toMatchObject([{ run: "1.4" }]);
  const older: Event = { kind: "attempts-found", at: 0, issue: 1, attempts: 2 };
  expect(project && stepProject(project, older, output)).toBe(project);
});

test("who reads a letter is told to the mailbox, which knows whether another one has it by now", () => {
  const posted: Event = {
    kind: "mail-posted",
    at: 5,
    letter: {
      id: "1",
      thread: "1",
      from: "operator",
      to: "dev",
      subject: "s",
      body: "b",
      priority: "normal",
      at: 5,
      state: { kind: "waiting", until: 100 },
    },
  };
  const { output } = after(registered, configured(2), observed(1, 2), posted);
  expect(output.tells).toEqual([
    {
      to: `mail:${PROJECT}`,
      event: { kind: "worker-started", at: 5, run: "1.1", identity: "dev-1", role: "dev" },
    },
  ]);
  expect(after(registered, configured(2), posted).output.tells).toEqual([]);
});
