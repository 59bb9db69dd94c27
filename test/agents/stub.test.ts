// Each program takes its work from the stub of the model: what the other tests of agents build on.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { agentProgram, STUBBED, type AgentName, type Stubbed } from "../support/agent-programs.ts";

describe.each(Object.keys(STUBBED) as AgentName[])("%s", (name) => {
  const program = agentProgram(name);

  test.skipIf(program === undefined)(
    "makes the tool call that the stub's script says",
    async () => {
      const { once: argumentsOf, env, files }: Stubbed = STUBBED[name];
      const stub = await startModelStub();
      const home = mkdtempSync(`/tmp/pawl-${name}-`);
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      const workspace = join(home, "work");
      const place = { home, stub: stub.url };
      mkdirSync(workspace);
      execFileSync("git", ["init", "-q", workspace]);
      for (const [path, text] of Object.entries(files(place))) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
      }
      const child = spawn(program ?? "", argumentsOf("Do it [[bash: echo real > out.txt]]"), {
        cwd: workspace,
        env: { PATH: process.env["PATH"], HOME: home, TERM: "xterm-256color", ...env(place) },
        stdio: "ignore",
      });
      await once(child, "exit");
      await stub.close();
      expect(readFileSync(join(workspace, "out.txt"), "utf8")).toBe("real\n");
      expect(stub.replies.at(-1)?.text).toMatch(/^Tool finished \(ok\)|^stub$/);
    },
  );
});
