// What every agent must do beside the cases that `pawl agent check` takes (conformance.ts): the model that
// pawl.toml names is the one that is asked, the doctor finds a program that is too old, and what the server
// of its model refuses for good is shown to a person.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  COMMIT,
  makeAgentFactory,
  type AgentFactory,
  type TestedAgent,
} from "../support/agent-factory.ts";

/** `settings`: keys of [agent.NAME] that choose a model; `asked`: the model of the requests then. */
export type Model = { settings: string; asked: RegExp };

/** The agent's own program, except that it says to be of a version before all others. */
function oldProgram(folder: string, program: string): string {
  const path = join(folder, "old-agent");
  const lines = [
    "#!/bin/sh",
    '[ "$*" != --version ] || { echo "0.0.1 (Claude Code)"; exit 0; }',
    `exec ${program} "$@"`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o755 });
  return path;
}

export function furtherCases(agent: TestedAgent, model: Model): void {
  const { program } = agent;
  describe(`runtime ${agent.runtime}`, { skip: program === undefined }, () => {
    const folder = mkdtempSync("/tmp/pawl-old-agent-");
    let shared: AgentFactory | undefined;
    beforeAll(async () => {
      const command = oldProgram(folder, program ?? "");
      shared = await makeAgentFactory({ ...agent, settings: model.settings }, { command });
      await shared.ok("up");
    });
    afterAll(async () => {
      await shared?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    test("the model of pawl.toml is asked, and the doctor finds a program that is too old", async () => {
      if (shared === undefined) throw new Error("there is no factory");
      const factory = shared;
      const body = `[[bash: echo done > chosen.txt && ${COMMIT}]]`;
      const issue = await factory.addIssue({ title: "Ask the chosen model", body });
      await factory.until("it has landed", async () => {
        return (await factory.runOf(issue)).outcome === "landed";
      });
      // Errands without tools may ask a smaller one.
      const models = factory.stub.requests
        .filter(({ body: asked }) => (asked.tools ?? []).length > 0)
        .map(({ body: asked }) => asked.model);
      expect(models.filter((name) => !model.asked.test(name))).toEqual([]);
      expect(models.length).toBeGreaterThan(0);
      const doctor = await factory.pawl("doctor");
      expect(`${doctor.stdout}${doctor.stderr}`).toMatch(/ 0\.0\.1 is older than \d+\.\d+\.\d+/);
    });

    test("a request that the server of its model refuses is shown to a person", async () => {
      if (shared === undefined) throw new Error("there is no factory");
      const factory = shared;
      const body = "[[error: 400 invalid_request_error the moon is full]]";
      const issue = await factory.addIssue({ title: "Be refused", body });
      const reason = await factory.until("a person is asked", async () => {
        return (await factory.runOf(issue)).needs_you ?? undefined;
      });
      expect(JSON.stringify(reason)).toContain("the moon is full");
      expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
    });
  });
}
