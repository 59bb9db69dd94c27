import { expect, test } from "vitest";
import { severalAgents } from "../../../test/support/agents.ts";
import { testRun, testSession } from "../../../test/support/run.ts";
import type { Agent } from "../../ports/agent.ts";
import { requireUsable } from "./usable-agent.ts";

const agent = {
  inspect: async () => [{ what: "it is not signed in", hint: "sign in" }],
} as unknown as Agent;
const place = { agent, env: {}, workspace: "/w" };
const run = testRun({ config: severalAgents(), session: testSession({ predecessor: undefined }) });

test("an agent that is not signed in is not started where another may continue", async () => {
  await expect(requireUsable(run, place)).rejects.toThrow("it is not signed in");
});

test("behind a gateway, and after its first life, an agent is not asked whether it is signed in", async () => {
  const config = { ...run.config, gateway: { keys: ["work"] } };
  await requireUsable({ ...run, config }, place);
  const predecessor = run.session!.id;
  await requireUsable({ ...run, session: testSession({ predecessor }) }, place);
  const other = testSession({ predecessor, isOther: true });
  await expect(requireUsable({ ...run, session: other }, place)).rejects.toThrow("not signed in");
});
