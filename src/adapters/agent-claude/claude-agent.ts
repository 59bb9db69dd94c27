// The runtime `claude`: Claude Code's own interactive program, with a settings file of its own in
// the epoch's folder. It writes nothing into tracked files, the user's ~/.claude or the project's
// .claude/: the user's login is used as it is.
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent, Launch, LaunchRequest } from "../../ports/agent.ts";
import { TYPED_FOLDER } from "../../ports/session-files.ts";
import { settingsOf } from "../shared/settings.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { cleanText } from "./clean-text.ts";
import { chooseConversation, leftConversation } from "./conversation.ts";
import { CLAUDE_STATE } from "../shared/claude-state.ts";
import { SETTINGS, type ClaudeSettings } from "./runtime.ts";
import { openingFor } from "./opening.ts";
import { readScreen, showsPaste } from "./screen.ts";
import { showsQuestion } from "./shows-question.ts";
import { settingsFor } from "./settings.ts";
import { idleSince, reportsPrompts } from "./status.ts";
import { createUsageReader } from "./transcript.ts";
import { translate } from "./translate.ts";
import { inspect } from "./inspect.ts";
import { problems } from "./versions.ts";

const HOOK = fileURLToPath(new URL("./claude-hook.sh", import.meta.url));

/** Its own login and how it reaches the model; nothing that reaches the target. */
const PASSED = [
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

export function createClaudeAgent(): Agent {
  return {
    confirms: true,
    passEnv: PASSED,
    state: CLAUDE_STATE,
    launch,
    conversation: leftConversation,
    translate,
    clean: cleanText,
    readScreen,
    showsPaste,
    showsQuestion,
    usage: createUsageReader(),
    idleSince,
    reportsPrompts,
    problems,
    inspect,
  };
}

async function launch(request: LaunchRequest): Promise<Launch> {
  const { agent, dir, workspace, heartbeat } = request;
  const claude = settingsOf(SETTINGS, agent);
  const hookScript = join(dir, "claude-hook.sh");
  const settings = join(dir, "claude-settings.json");
  // A copy, because agents outlive the daemon and the version that started them.
  await copyFile(HOOK, hookScript);
  // Told by its folder that this hook knows of messages that are being typed.
  await mkdir(join(dir, TYPED_FOLDER), { recursive: true, mode: 0o700 });
  await writeWhole(join(dir, "protocol.md"), `${request.protocol}\n`);
  const isWalled = request.env["PAWL_ISOLATION"] !== undefined;
  const places = { hookScript, workspace, dir, factory: dirname(heartbeat), isWalled };
  await writeWhole(settings, JSON.stringify(settingsFor(claude, places), undefined, 2));
  const conversation = await chooseConversation(request);
  const program = agent.command.length > 0 ? agent.command : ["claude"];
  return {
    argv: [
      ...program,
      "--settings",
      settings,
      conversation.resumed ? "--resume" : "--session-id",
      conversation.id,
      "--permission-mode",
      claude.permissionMode,
      ...(agent.model === undefined ? [] : ["--model", agent.model]),
      ...claude.args,
      "--",
      await openingFor(request),
    ],
    env: {
      PAWL_HEARTBEAT: heartbeat,
      // The workspace is Pawl's own clone of the user's repository, and no person is at the
      // terminal to answer the trust dialog.
      CLAUDE_CODE_SANDBOXED: "1",
      DISABLE_AUTOUPDATER: "1",
      // Grey suggestions in the prompt box look like a person's half-typed line.
      CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
      ...skipping(claude),
    },
    warnings: [
      ...warningsFor(claude),
      ...(await problems({ command: agent.command, env: request.env })),
    ],
  };
}

/** Without this, Claude Code refuses to skip permissions as root. */
function skipping({ permissionMode }: ClaudeSettings): Record<string, string> {
  const isRoot = process.getuid?.() === 0;
  return permissionMode === "bypassPermissions" && isRoot ? { IS_SANDBOX: "1" } : {};
}

const warningsFor = ({ permissionMode }: ClaudeSettings): string[] =>
  permissionMode === "bypassPermissions"
    ? [
        'Claude Code skips all permissions ([agent.claude] permission_mode = "bypassPermissions"): it may do everything that your user may do',
      ]
    : [];
