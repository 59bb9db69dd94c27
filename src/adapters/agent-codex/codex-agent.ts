// The runtime `codex`: Codex as a server that a host of ours drives. It writes nothing into the
// user's ~/.codex: the login and the configuration there are used as they are, and what differs is
// said with the thread.
import { join } from "node:path";
import type { Agent, AgentState, LaunchRequest } from "../../ports/agent.ts";
import { hostedAgent, hostProgram } from "../shared/agent-host/hosted-agent.ts";
import { settingsOf } from "../shared/settings.ts";
import type { CodexSettings } from "./codex-driver.ts";
import { SETTINGS } from "./runtime.ts";
import { inspect, problems } from "./versions.ts";

/** Its own login and how it reaches the model; nothing that reaches the target. */
const PASSED = [
  "CODEX_HOME",
  "CODEX_API_KEY",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
];

/** Threads are the run's own. Codex notes in its configuration which folders it trusts. */
const STATE: AgentState = {
  variable: "CODEX_HOME",
  folder: ".codex",
  shared: ["auth.json"],
  read: ["AGENTS.md", "AGENTS.override.md", "prompts", "rules", "skills"],
  copied: ["config.toml"],
  login: { providers: ["openai"] },
};

export function createCodexAgent(): Agent {
  return {
    ...hostedAgent({
      host: hostProgram("codex-host", import.meta.url),
      argv: ({ agent, env }) => [
        ...(agent.command.length > 0 ? agent.command : ["codex"]),
        ...throughGateway(env),
        ...settingsOf(SETTINGS, agent).args,
      ],
      settings: threadSettings,
      warnings: async ({ agent, env }) => [
        ...(isWalled(env) ? [] : warningsFor(settingsOf(SETTINGS, agent))),
        ...(await problems({ command: agent.command, env })),
      ],
    }),
    passEnv: PASSED,
    state: STATE,
    problems,
    inspect,
  };
}

export function threadSettings({
  agent,
  workspace,
  dir,
  protocol,
  env,
}: LaunchRequest): CodexSettings {
  const { sandbox, approval, network, writable } = settingsOf(SETTINGS, agent);
  return {
    // A sandbox needs namespaces of its own, which walls do not allow: the walls are the sandbox then.
    sandbox: sandbox === "workspace-write" && isWalled(env) ? "danger-full-access" : sandbox,
    approvalPolicy: approval,
    // Codex keeps it when it compacts the conversation.
    developerInstructions: protocol,
    config: {
      // Commits are part of the work, and phases and letters are files of the session.
      "sandbox_workspace_write.writable_roots": [join(workspace, ".git"), dir, ...writable],
      "sandbox_workspace_write.network_access": network === "on",
    },
  };
}

/** It reads no variable for its model's address: the gateway is a provider of its own to it. */
function throughGateway(env: Record<string, string>): string[] {
  const { PAWL_GATEWAY: gateway, OPENAI_BASE_URL: url } = env;
  if (url === undefined || gateway?.split(" ").includes("openai") !== true) return [];
  const provider = {
    name: "OpenAI",
    base_url: url,
    wire_api: "responses",
    env_key: "OPENAI_API_KEY",
  };
  const settings = Object.entries(provider).map(
    ([key, value]) => `model_providers.pawl.${key}=${JSON.stringify(value)}`,
  );
  return ['model_provider="pawl"', ...settings].flatMap((setting) => ["-c", setting]);
}

const isWalled = (env: Record<string, string>): boolean => env["PAWL_ISOLATION"] !== undefined;

const warningsFor = ({ sandbox }: { sandbox: string }): string[] =>
  sandbox === "danger-full-access"
    ? [
        'Codex has no sandbox ([agent.codex] sandbox = "danger-full-access"): it may do everything that your user may do',
      ]
    : [];
