// A program that speaks the Agent Client Protocol, of which Pawl knows nothing, inside walls: it finds its
// login and its conversations in the folder that [isolation] write names, and nothing else of the home.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, TEST_GATE, type Factory } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

/** It needs a login, keeps its conversations beside it, and dies in the middle of its first turn. */
const PROGRAM = `import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { createInterface } from "node:readline";
const state = process.env.HOME + "/.my-agent";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const kept = () => (existsSync(state + "/talk") ? readFileSync(state + "/talk", "utf8") : "");
const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
    authMethods: [{ id: "file", name: "File", description: "Write the login file" }],
  }),
  "session/new": () => {
    if (!existsSync(state + "/login")) throw { code: -32000, message: "Authentication required" };
    return { sessionId: "s1" };
  },
  "session/load": () => ({}),
  "session/prompt": () => {
    const before = kept();
    appendFileSync(state + "/talk", "said\\n");
    if (before === "") process.exit(1);
    // Told that CI passed, it has nothing to add.
    if (before !== "said\\n") return { stopReason: "end_turn" };
    writeFileSync("talk.txt", before);
    const work = 'ls -A "$HOME" > home.txt; git add -A && git commit -qm Work && echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"';
    execFileSync("sh", ["-c", work]);
    return { stopReason: "end_turn" };
  },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  try {
    const result = answers[method]?.(params);
    send(result === undefined ? { id, error: { code: -32601, message: "Method not found" } } : { id, result });
  } catch (error) {
    send({ id, error });
  }
});
`;

async function withProgram(walls: string): Promise<Factory> {
  const factory = await makeFactory();
  const folder = join(factory.root, "program");
  mkdirSync(folder);
  writeFileSync(join(folder, "agent.mjs"), PROGRAM);
  const home = factory.env["HOME"] ?? "";
  mkdirSync(join(home, ".my-agent"));
  writeFileSync(join(home, ".my-agent", "login"), "secret");
  writeFileSync(join(home, "private"), "");
  const command = `command = ["${process.execPath}", "${folder}/agent.mjs"]`;
  const agent = `[agent]\nruntime = "acp"\n${command}\n`;
  const config = `${agent}${TEST_GATE}${LIMITS}${WALLS}read = ["${folder}"]\n${walls}`;
  factory.commit({ "pawl.toml": factory.config(config) });
  return factory;
}

test.skipIf(noWalls)(
  "a program that speaks ACP lands an issue inside walls with the folder that its user names, and continues its conversation after a crash",
  async () => {
    await using factory = await withProgram('write = ["~/.my-agent"]\n');
    const issue = await factory.addIssue({ title: "Work" });
    await factory.ok("run", "--until-idle");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 2 });
    expect(factory.git("show", "main:talk.txt")).toBe("said");
    expect(factory.git("show", "main:home.txt")).toBe(".my-agent");
    const { warnings } = await factory.runOf(issue);
    expect(warnings.join("\n")).not.toContain("does not find its login");
    expect(readdirSync(join(factory.env["HOME"] ?? "", ".my-agent"))).toContain("talk");
  },
);

test.skipIf(noWalls)(
  "where its user names no folder, the program does not find its login, and a person is told why",
  async () => {
    await using factory = await withProgram("");
    const issue = await factory.addIssue({ title: "Work" });
    expect(await factory.pawl("run", "--until-idle")).toMatchObject({ code: 8 });
    const { warnings } = await factory.runOf(issue);
    expect(warnings.join("\n")).toContain("unless [isolation] write names the folders");
  },
);
