import { expect, test } from "vitest";
import { agentOf, severalAgents } from "../../../test/support/agents.ts";
import { onGreenTarget } from "../../../test/support/proven.ts";
import { PROJECT } from "../../../test/support/run.ts";
import type { ProjectConfig } from "../config.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { runId } from "../ids.ts";
import type { Task } from "../task.ts";
import { agentForTask, limitText } from "./accounts.ts";
import type { Project } from "./project.ts";
import { projectDeadline, stepProject } from "./step-project.ts";

const registered: Event = {
  kind: "project-registered",
  at: 0,
  name: PROJECT,
  root: "/toy",
  upstream: { kind: "local", path: "/toy" },
};
const configured = (config: ProjectConfig): Event => ({
  kind: "project-configured",
  at: 0,
  config: { ...config, parallel: 5 },
  source: "pawl.toml",
});
const limited = (account: string, until: number): Event => ({
  kind: "account-limited",
  at: 0,
  until,
  reason: "429",
  account,
});
const issue = (number: number, labels: string[] = []) =>
  ({ number, title: "t", labels: ["backlog", ...labels], createdAt: number, unmet: [] }) as const;
const observed = (...issues: ReturnType<typeof issue>[]): Event => ({
  kind: "issues-observed",
  at: 0,
  issues: issues.map((one) => ({ ...one, labels: [...one.labels], unmet: [] })),
});

function after(...events: Event[]): { project: Project; output: Output } {
  let project: Project | undefined;
  let output = emptyOutput();
  for (const event of onGreenTarget(events)) {
    output = emptyOutput();
    project = stepProject(project, event, output);
  }
  return { project: project!, output };
}

const started = ({ output }: { output: Output }) =>
  output.tells.flatMap(({ event }) =>
    event.kind === "run-requested"
      ? [[event.issue, event.config.agent.account ?? event.config.agent.runtime]]
      : [],
  );

test("a limit pauses only its account: new runs get the next agent that is free", () => {
  const begun = [registered, configured(severalAgents()), limited("first", 1000)];
  const one = after(...begun, observed(issue(1)));
  expect(started(one)).toEqual([[1, "second"]]);
  const [told] = one.output.tells;
  expect(told?.event).toMatchObject({
    choice: {
      why: "[agent] in pawl.toml; first cannot work now (429), and second is its fallback",
    },
  });
  const both = [...begun, limited("second", 2000), observed(issue(1))];
  expect(started(after(...both))).toEqual([[1, "third"]]);
});

test("with all agents limited nothing starts; then the first choice is used again", () => {
  const config = severalAgents({ fallback: ["second"] });
  const limits = [limited("first", 1000), limited("second", 500)];
  const events = [registered, configured(config), ...limits, observed(issue(1))];
  const waiting = after(...events);
  expect(started(waiting)).toEqual([]);
  expect(projectDeadline(waiting.project)).toBe(500);
  expect(limitText(waiting.project)).toBe(
    "the limit of second, until 1970-01-01T00:00:00.500Z (429)",
  );
  const past: Event = { kind: "deadline-passed", at: 1000 };
  expect(started(after(...events, past))).toEqual([[1, "first"]]);
});

test("an issue whose label leads to a free account starts while the project's own is limited", () => {
  const rules = [{ label: "docs", agent: agentOf("fourth") }];
  const config = severalAgents({ rules, fallback: [] });
  const events = [registered, configured(config), limited("first", 1000)];
  const { project, output } = after(...events, observed(issue(1), issue(2, ["docs"])));
  expect(project.active.map((run) => run.issue)).toEqual([2]);
  expect(started({ output })).toEqual([[2, "fourth"]]);
});

test("a run whose agent cannot continue is given the first that is free, or none", () => {
  const wanted: Event = {
    kind: "agent-wanted",
    at: 5,
    run: runId("1.1"),
    options: ["second", "third"],
  };
  const begun = [registered, configured(severalAgents()), limited("second", 1000)];
  const given = after(...begun, wanted).output.tells.map(({ event }) => event);
  expect(given).toEqual([{ kind: "agent-given", at: 5, account: "third" }]);
  const none = after(...begun, limited("third", 1000), wanted).output.tells;
  expect(none.map(({ event }) => event.kind)).toEqual(["agent-denied"]);
});

test("runs hear of an account that is no longer limited", () => {
  const begun = [registered, configured(severalAgents()), observed(issue(1))];
  const free: Event = { kind: "account-freed", at: 5, account: "second" };
  expect(after(...begun, free).output.tells).toEqual([]);
  const heard = after(...begun, limited("second", 1000), free).output.tells;
  expect(heard.map(({ event }) => event)).toEqual([
    { kind: "account-opened", at: 5, accounts: ["second"] },
  ]);
});

test("the model of a task is for the project's own runtime", () => {
  const rules = [{ role: "review" as const, agent: agentOf("second", { model: "own" }) }];
  const config = severalAgents({ rules });
  const { project } = after(registered, configured(config));
  const model = (role: string) => {
    const given = agentForTask(project, config, { role, model: "small" } as Task);
    return given.kind === "given" ? given.config.agent.model : undefined;
  };
  expect([model("review"), model("gardener")]).toEqual(["own", "small"]);
});
