// What every agent must do, whatever program it is: one suite, run against each runtime through the
// commands that people type. What a program cannot do is skipped under its own name, with the reason.
//
// One factory and one daemon serve most cases of an agent, an issue each: starting them anew for
// every case would take longer than the cases.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import {
  agentPid,
  COMMIT,
  conversations,
  makeAgentFactory,
  type AgentFactory,
  type TestedAgent,
} from "../support/agent-factory.ts";

const CASES = [
  "start",
  "acknowledged prompt",
  "tool",
  "steer",
  "interrupt",
  "permission",
  "question",
  "429",
  "5xx",
  "silence",
  "kill -9 and the same conversation",
  "context and hand-off",
  "usage",
  "orphans ended",
  "agent missing",
] as const;
export type Case = (typeof CASES)[number];

const work = (name: string): string => `[[bash: echo done > ${name}.txt && ${COMMIT}]]`;
const on = (kind: string, script: string): string => `[[on ${kind}]]${script}[[end]]`;
/** A command that says that it runs, and runs until it is told to end. */
const loop = (mark: string): string => `: > ${mark}; while [ ! -e ${mark}.go ]; do sleep 0.1; done`;

const landed = (factory: AgentFactory, issue: number): Promise<unknown> =>
  factory.until(`issue ${issue} has landed`, async () => {
    const { outcome } = await factory.runOf(issue);
    return outcome === "landed";
  });

const asked = (factory: AgentFactory, issue: number): Promise<string> =>
  factory.until("a person is asked", async () => {
    const { needs_you: reason } = await factory.runOf(issue);
    return reason === null ? undefined : JSON.stringify(reason);
  });

type Sub = { factory: () => AgentFactory; agent: TestedAgent };

/** By the name of the case; each files its own issue. */
const SHARED: Partial<Record<Case, (sub: Sub) => Promise<void>>> = {
  start: async ({ factory }) => {
    const issue = await factory().addIssue({ title: "Start", body: work("start") });
    await landed(factory(), issue);
    expect(await factory().runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    expect(factory().git("show", "main:start.txt")).toBe("done");
  },
};

export function conformance(agent: TestedAgent): void {
  describe.skipIf(agent.program === undefined)(agent.runtime, () => {
    let factory: AgentFactory | undefined;
    beforeAll(async () => {
      factory = await makeAgentFactory(agent, { parallel: 4 });
      factory.background("run");
    });
    afterAll(async () => factory?.[Symbol.asyncDispose]());
    const sub: Sub = {
      agent,
      factory: () => {
        if (factory === undefined) throw new Error("no factory");
        return factory;
      },
    };
    for (const name of CASES) {
      const run = SHARED[name];
      if (run === undefined) continue;
      const reason = agent.cannot[name];
      if (reason === undefined) test(name, () => run(sub));
      else test.skip(`${name}: not with ${agent.runtime}, ${reason}`, () => {});
    }
  });
}
