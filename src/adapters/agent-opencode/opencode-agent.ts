// The runtime `opencode`: opencode as a server that a host of ours drives. The user's own
// configuration and logins are used as they are.
import type { Agent, LaunchRequest } from "../../ports/agent.ts";
import { hostedAgent, hostProgram } from "../shared/agent-host/hosted-agent.ts";
import { settingsOf } from "../shared/settings.ts";
import type { OpencodeSettings } from "./opencode-driver.ts";
import { SETTINGS } from "./runtime.ts";
import { inspect, problems } from "./versions.ts";

/** Its own logins and how it reaches the model; nothing that reaches the target. */
const PASSED = [
  "OPENCODE_CONFIG",
  "OPENCODE_CONFIG_CONTENT",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "OPENROUTER_API_KEY",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

export function createOpencodeAgent(): Agent {
  return {
    ...hostedAgent({
      host: hostProgram("opencode-host", import.meta.url),
      argv: ({ agent }) => (agent.command.length > 0 ? agent.command : ["opencode"]),
      env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1" }),
      settings: sessionSettings,
      warnings: ({ agent }) => warningsFor(settingsOf(SETTINGS, agent)),
    }),
    passEnv: PASSED,
    problems,
    inspect,
  };
}

/** The last rule that matches counts. */
function sessionSettings({ agent, dir, protocol }: LaunchRequest): OpencodeSettings {
  const { permissions } = settingsOf(SETTINGS, agent);
  const all = { permission: "*", pattern: "*" };
  const outside = { permission: "external_directory", pattern: "*" };
  const own = { permission: "external_directory", pattern: `${dir}/*`, action: "allow" as const };
  const rules: OpencodeSettings["permission"] = [
    { ...all, action: "allow" },
    ...(permissions === "ask"
      ? (["bash", "edit"] as const).map((permission) => ({
          permission,
          pattern: "*",
          action: "ask" as const,
        }))
      : []),
    ...(permissions === "everything" ? [] : [{ ...outside, action: "deny" as const }, own]),
  ];
  return { permission: rules, system: protocol };
}

const warningsFor = ({ permissions }: { permissions: string }): string[] =>
  permissions === "everything"
    ? [
        'opencode asks for no permission ([agent.opencode] permissions = "everything"): it may do everything that your user may do',
      ]
    : [];
