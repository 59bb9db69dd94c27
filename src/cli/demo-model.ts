// The demo's agent: the built-in one, or the real Claude Code against a stub of the model. The stub
// stands in for an account, so nothing of the user's login is used or sent anywhere.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperationError } from "../lib/operation-error.ts";
import type { ModelStub } from "./model-stub/server.ts";

export const DEMO_AGENTS = ["script", "claude"] as const;
export type DemoAgent = (typeof DEMO_AGENTS)[number];

const VERSION_TIMEOUT_MS = 10_000;

/** [agent] of the demo's pawl.toml, for a scratch folder that stands for the user's home. */
export function agentSection(agent: DemoAgent, stub: ModelStub | undefined, home: string): string {
  if (agent === "script" || stub === undefined) return '[agent]\nruntime = "script"\n';
  const env = {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    ANTHROPIC_BASE_URL: stub.url,
    ANTHROPIC_AUTH_TOKEN: "stub",
    ANTHROPIC_API_KEY: "",
    CLAUDE_CODE_OAUTH_TOKEN: "",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const lines = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return ["[agent]", 'runtime = "claude"', "", "[agent.env]", ...lines, ""].join("\n");
}

/** What Claude Code asks everyone at the first start has been answered in the scratch home. */
export function settleIn(home: string): void {
  const folder = join(home, ".claude");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true }));
}

export function requireClaude(): void {
  const asked = spawnSync("claude", ["--version"], {
    stdio: "ignore",
    timeout: VERSION_TIMEOUT_MS,
  });
  if (asked.status === 0) return;
  throw new OperationError("Claude Code is not installed: there is no `claude` on the PATH", {
    code: "no-claude",
    hint: "install it: `npm install -g @anthropic-ai/claude-code`; or leave out --agent",
  });
}
