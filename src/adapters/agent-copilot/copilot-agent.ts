// The runtime `copilot`: GitHub Copilot CLI, with its permissions as arguments. The user's ~/.copilot
// and login are used as they are.
import type { Agent, AgentState, LaunchRequest } from "../../ports/agent.ts";
import { acpAgent } from "../shared/acp/acp-agent.ts";
import { settingsOf } from "../shared/settings.ts";
import { SETTINGS, VERSION } from "./runtime.ts";

const TESTED = {
  title: "GitHub Copilot CLI",
  program: "copilot",
  version: VERSION,
  install: `npm install -g @github/copilot@${VERSION}`,
};
const SIGN_IN = "run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN";

/** Its own login and how it reaches the model; nothing that reaches the target. */
const PASSED = [
  "COPILOT_GITHUB_TOKEN",
  "COPILOT_HOME",
  "COPILOT_MODEL",
  "COPILOT_OFFLINE",
  "COPILOT_PROVIDER_API_KEY",
  "COPILOT_PROVIDER_BASE_URL",
  "COPILOT_PROVIDER_TYPE",
  "GH_HOST",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

/** Its login is in config.json where the machine has no keyring; it also notes there what it trusts. */
const STATE: AgentState = {
  variable: "COPILOT_HOME",
  folder: ".copilot",
  shared: [],
  read: ["mcp-config.json", "agents", "skills", "copilot-instructions.md"],
  copied: ["config.json"],
  login: { providers: ["anthropic", "openai"], changed: { "config.json": withoutLogin } },
};

function withoutLogin(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !/token|logged_?in|auth/i.test(name)),
  );
}

/**
 * A request that failed for good is told as text, and its turn as ended. What its server refused at once
 * is the last that is said, right behind the model's own words.
 */
export const FAILURE =
  "Error: Failed to get response from the AI model.*|(?<! )Error: [45]\\d\\d .*(?![\\s\\S])";

export function createCopilotAgent(): Agent {
  return {
    ...acpAgent({
      argv,
      // An update in the middle of the work would be another program than the one that was tested.
      env: (request) => ({ COPILOT_AUTO_UPDATE: "false", ...throughGateway(request) }),
      settings: () => ({ usage: "program", failureText: FAILURE }),
      warnings,
      tested: TESTED,
      signIn: SIGN_IN,
    }),
    passEnv: PASSED,
    state: STATE,
  };
}

/** The models of its own service need its login, which a gateway cannot use: it asks a provider instead. */
function throughGateway({ agent, env }: LaunchRequest): Record<string, string> {
  const led = (env["PAWL_GATEWAY"] ?? "").split(" ");
  const type = ["anthropic", "openai"].find((name) => led.includes(name));
  if (type === undefined) return {};
  const [url, key] =
    type === "anthropic"
      ? [env["ANTHROPIC_BASE_URL"], env["ANTHROPIC_AUTH_TOKEN"]]
      : [env["OPENAI_BASE_URL"], env["OPENAI_API_KEY"]];
  return {
    COPILOT_PROVIDER_TYPE: type,
    COPILOT_PROVIDER_BASE_URL: url ?? "",
    COPILOT_PROVIDER_API_KEY: key ?? "",
    // Without its own service; emptied, as every variable that would lead past the gateway.
    COPILOT_OFFLINE: "true",
    COPILOT_GITHUB_TOKEN: "",
    ...(agent.model === undefined ? {} : { COPILOT_MODEL: agent.model }),
  };
}

function argv({ agent, dir }: LaunchRequest): string[] {
  const { permissions, allow, deny, args } = settingsOf(SETTINGS, agent);
  return [
    ...(agent.command.length > 0 ? agent.command : ["copilot"]),
    "--acp",
    // Phase, inbox and spool are there.
    "--add-dir",
    dir,
    ...(permissions === "allow-all" ? ["--allow-all-tools"] : []),
    ...allow.map((tool) => `--allow-tool=${tool}`),
    ...deny.map((tool) => `--deny-tool=${tool}`),
    ...(agent.model === undefined ? [] : ["--model", agent.model]),
    ...args,
  ];
}

const warnings = ({ agent }: LaunchRequest): string[] =>
  settingsOf(SETTINGS, agent).permissions === "allow-all"
    ? [
        'Copilot CLI asks for no permission ([agent.copilot] permissions = "allow-all"): it may do everything that your user may do',
      ]
    : [];
