// The runtime `claude-acp`: claude-agent-acp, the adapter of Claude Code for the Agent Client
// Protocol. The user's login is used as it is, and the permission rules are options of the session.
import type { Agent, LaunchRequest } from "../../ports/agent.ts";
import { acpAgent } from "../shared/acp/acp-agent.ts";
import { CLAUDE_STATE } from "../shared/claude-state.ts";
import { settingsOf } from "../shared/settings.ts";
import { SETTINGS, VERSION } from "./runtime.ts";

const TESTED = {
  title: "claude-agent-acp",
  program: "claude-agent-acp",
  version: VERSION,
  install: `npm install -g @agentclientprotocol/claude-agent-acp@${VERSION}`,
};
const SIGN_IN = "run `claude` and type /login, or set ANTHROPIC_API_KEY";

/** Its own login and how it reaches the model; nothing that reaches the target. */
const PASSED = [
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_EXECUTABLE",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

export function createClaudeAcpAgent(): Agent {
  return {
    ...acpAgent({ argv, env, settings, warnings, tested: TESTED, signIn: SIGN_IN }),
    passEnv: PASSED,
    state: CLAUDE_STATE,
  };
}

const argv = ({ agent }: LaunchRequest): string[] =>
  agent.command.length > 0 ? agent.command : ["claude-agent-acp"];

/** Without IS_SANDBOX, Claude Code refuses to skip permissions as root. */
function env({ agent }: LaunchRequest): Record<string, string> {
  const isSkipping = settingsOf(SETTINGS, agent).permissionMode === "bypassPermissions";
  return {
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
    ...(isSkipping && process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {}),
  };
}

function settings({ agent, workspace, dir }: LaunchRequest) {
  const { permissionMode, allow, deny } = settingsOf(SETTINGS, agent);
  const options = {
    allowedTools: [...allow, filesBelow(workspace), filesBelow(dir)],
    disallowedTools: deny,
    additionalDirectories: [dir],
  };
  return { meta: { claudeCode: { options } }, mode: permissionMode, chooseModel: true } as const;
}

/** Covers every tool that changes files; `//` begins an absolute path. */
const filesBelow = (folder: string): string => `Edit(/${folder}/**)`;

const warnings = ({ agent }: LaunchRequest): string[] =>
  settingsOf(SETTINGS, agent).permissionMode === "bypassPermissions"
    ? [
        'Claude Code skips all permissions ([agent.claude-acp] permission_mode = "bypassPermissions"): it may do everything that your user may do',
      ]
    : [];
