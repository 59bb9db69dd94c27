// The runtime `opencode`: opencode as a server that a host of ours drives. The user's own
// configuration and logins are used as they are.
import { isObject, parseObject } from "../../lib/json-object.ts";
import type { Agent, AgentState, LaunchRequest } from "../../ports/agent.ts";
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

/** Its conversations are in a database beside its logins: the run's own. */
const STATE: AgentState = {
  variable: "XDG_DATA_HOME",
  folder: ".local/share",
  shared: ["opencode/auth.json", "opencode/mcp-auth.json"],
  read: [],
  copied: [],
  elsewhere: [
    { variable: "OPENCODE_CONFIG" },
    { variable: "XDG_CONFIG_HOME", folder: ".config", name: "opencode" },
  ],
  // It may use any of its logins, whatever model it was started with.
  login: { providers: ["anthropic", "openai", "gemini"] },
};

export function createOpencodeAgent(): Agent {
  return {
    ...hostedAgent({
      host: hostProgram("opencode-host", import.meta.url),
      argv: ({ agent }) => (agent.command.length > 0 ? agent.command : ["opencode"]),
      env: ({ env }) => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", ...throughGateway(env) }),
      settings: sessionSettings,
      warnings: ({ agent }) => warningsFor(settingsOf(SETTINGS, agent)),
    }),
    passEnv: PASSED,
    state: STATE,
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

/** Providers by the names that opencode has for them, each with the variables of the gateway. */
const LED: Record<string, { name: string; url: string; path: string; key: string }> = {
  anthropic: {
    name: "anthropic",
    url: "ANTHROPIC_BASE_URL",
    path: "/v1",
    key: "ANTHROPIC_AUTH_TOKEN",
  },
  openai: { name: "openai", url: "OPENAI_BASE_URL", path: "", key: "OPENAI_API_KEY" },
  gemini: { name: "google", url: "GOOGLE_GEMINI_BASE_URL", path: "/v1beta", key: "GEMINI_API_KEY" },
};

/** It reads the addresses of models from its configuration alone; the last part of it is a variable. */
function throughGateway(env: Record<string, string>): Record<string, string> {
  const led = (env["PAWL_GATEWAY"] ?? "").split(" ").flatMap((name) => LED[name] ?? []);
  if (led.length === 0) return {};
  const own = parseObject(env["OPENCODE_CONFIG_CONTENT"] ?? "") ?? {};
  const ofOwn = isObject(own["provider"]) ? own["provider"] : {};
  const provider = { ...ofOwn };
  for (const { name, url, path, key } of led) {
    const before = isObject(ofOwn[name]) ? ofOwn[name] : {};
    const options = isObject(before["options"]) ? before["options"] : {};
    const gateway = { baseURL: `${env[url]}${path}`, apiKey: env[key] };
    provider[name] = { ...before, options: { ...options, ...gateway } };
  }
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...own, provider }) };
}

const warningsFor = ({ permissions }: { permissions: string }): string[] =>
  permissions === "everything"
    ? [
        'opencode asks for no permission ([agent.opencode] permissions = "everything"): it may do everything that your user may do',
      ]
    : [];
