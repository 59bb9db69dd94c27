// The runtime `gemini`: Gemini CLI, with a policy file of its own in the epoch's folder. The user's
// ~/.gemini is used as it is.
import { dirname, join } from "node:path";
import { isObject } from "../../lib/json-object.ts";
import type { Agent, AgentState, LaunchRequest } from "../../ports/agent.ts";
import { acpAgent } from "../shared/acp/acp-agent.ts";
import { settingsOf } from "../shared/settings.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { hideKeys } from "./env-file.ts";
import { keepConversation } from "./keep-conversation.ts";
import { policyFor } from "./policy.ts";
import { SETTINGS, VERSION } from "./runtime.ts";

const TESTED = {
  title: "Gemini CLI",
  program: "gemini",
  version: VERSION,
  install: `npm install -g @google/gemini-cli@${VERSION}`,
};
const SIGN_IN = "run `gemini` and sign in, or set GEMINI_API_KEY";

/** Its own login and how it reaches the model; nothing that reaches the target. */
const PASSED = [
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_PROJECT",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_GEMINI_BASE_URL",
  "GOOGLE_GENAI_USE_VERTEXAI",
  "GEMINI_MODEL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

/** Its variable names a home, in which it makes a folder .gemini. */
const STATE: AgentState = {
  variable: "GEMINI_CLI_HOME",
  folder: "",
  shared: ["oauth_creds.json", "google_accounts.json", "gemini-credentials.json"].map(below),
  read: ["settings.json", "GEMINI.md", "commands", "extensions", "policies", "skills", ".env"].map(
    below,
  ),
  copied: [],
  login: {
    providers: ["gemini"],
    files: [below(".env")],
    // It would ask for the login that its user has chosen there, whatever variables say.
    changed: { [below("settings.json")]: withKey },
  },
};

function withKey(settings: Record<string, unknown>): Record<string, unknown> {
  const security = isObject(settings["security"]) ? settings["security"] : {};
  return { ...settings, security: { ...security, auth: { selectedType: "gemini-api-key" } } };
}

function below(name: string): string {
  return `.gemini/${name}`;
}

export function createGeminiAgent(): Agent {
  const hosted = acpAgent({
    argv,
    env: () => ENV,
    settings: () => ({}),
    warnings,
    tested: TESTED,
    signIn: SIGN_IN,
  });
  return {
    ...hosted,
    passEnv: PASSED,
    state: STATE,
    launch: async (request) => {
      const { dir, resume, env } = request;
      await writeWhole(policyFile(dir), policyFor(settingsOf(SETTINGS, request.agent)));
      await hideKeys(request);
      if (resume !== undefined) await keepConversation(join(dirname(dir), resume), env);
      return hosted.launch(request);
    },
  };
}

const policyFile = (dir: string): string => join(dir, "gemini-policy.toml");

const ENV = {
  // It starts itself a second time otherwise, to get more memory: twice the start, and a program
  // that survives the end of the one that Pawl has started.
  GEMINI_CLI_NO_RELAUNCH: "true",
  // The workspace is Pawl's own clone of the user's repository.
  GEMINI_CLI_TRUST_WORKSPACE: "true",
};

function argv({ agent, dir }: LaunchRequest): string[] {
  const { approvalMode, args } = settingsOf(SETTINGS, agent);
  return [
    ...(agent.command.length > 0 ? agent.command : ["gemini"]),
    "--acp",
    "--approval-mode",
    approvalMode,
    "--policy",
    policyFile(dir),
    ...(agent.model === undefined ? [] : ["--model", agent.model]),
    ...args,
  ];
}

const warnings = ({ agent }: LaunchRequest): string[] =>
  settingsOf(SETTINGS, agent).approvalMode === "yolo"
    ? [
        'Gemini CLI asks for no permission ([agent.gemini] approval_mode = "yolo"): it may do everything that your user may do',
      ]
    : [];
