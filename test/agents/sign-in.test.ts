// An agent without a login: a person is asked once, signs in and answers, and the prompt that was
// never said is said then, once.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory, LIMITS, TEST_GATE } from "../support/pawl.ts";

const PROGRAM = join(import.meta.dirname, "../support/acp-program.ts");

/** Where the program finds out that it has no login. */
test.each(["session/new", "session/prompt"])(
  "an agent that refuses %s without a login works after a person has signed in",
  async (method) => {
    await using factory = await makeFactory();
    const login = join(factory.root, "login");
    const command = [process.execPath, PROGRAM, `${factory.root}/said`, method, login];
    const agent = `[agent]\nruntime = "acp"\ncommand = ${JSON.stringify(command)}\n`;
    factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}`) });
    const issue = await factory.addIssue({ title: "Listen", body: "THE-TASK" });
    factory.background("run");
    const reason = await factory.until("a person is asked", async () => {
      return (await factory.runOf(issue)).needs_you ?? undefined;
    });
    expect(JSON.stringify(reason)).toContain("not signed in (Log in first): Write the login file");
    expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
    expect(await factory.ok("signals", "--json")).not.toContain("AGENT_CRASHED");
    writeFileSync(login, "");
    await factory.ok("escalation", "answer", String(issue), "I have signed in");
    const said = (): string =>
      globSync(`${factory.root}/said/*.jsonl`)
        .map((name) => readFileSync(name, "utf8"))
        .join("");
    await factory.until("it has its task", async () => said().includes("THE-TASK"));
    expect(said().split("THE-TASK")).toHaveLength(2);
    expect(said()).toContain("I have signed in");
  },
);
