// The settings file that Claude Code is started with: hooks, statusline, and what it may do. Rules
// are checked by Claude Code on the parsed input of a tool, and a refusal reaches the model.
import type { ClaudeConfig } from "../../core/config.ts";

export type Places = {
  /** The epoch's own copy of the hook script. */
  hook: string;
  workspace: string;
  /** The epoch's folder: phase, inbox and spool are there. */
  dir: string;
};

/** Hooks that only report. */
const EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "StopFailure",
  "Notification",
  "PermissionRequest",
  "PreCompact",
  "PostCompact",
  "SessionEnd",
  "SubagentStop",
];

const TIMEOUT_S = 10;
/** Often enough to show life, and no oftener (design §12). */
const REFRESH_S = 30;

export function settingsFor(claude: ClaudeConfig, places: Places): Record<string, unknown> {
  const command = (word: string): string => hookCommand(places.hook, word);
  const hook = (word: string) => [
    { hooks: [{ type: "command", command: command(word), timeout: TIMEOUT_S }] },
  ];
  return {
    permissions: {
      defaultMode: claude.permissionMode,
      allow: [...claude.allow, filesBelow(places.workspace), filesBelow(places.dir)],
      deny: claude.deny,
    },
    statusLine: { type: "command", command: command("statusline"), refreshInterval: REFRESH_S },
    hooks: {
      SessionStart: hook("start"),
      UserPromptSubmit: hook("prompt"),
      ...Object.fromEntries(EVENTS.map((event) => [event, hook("event")])),
    },
    // Pawl's own warning stands for the one that nobody is there to confirm.
    ...(claude.permissionMode === "bypassPermissions"
      ? { skipDangerousModePermissionPrompt: true }
      : {}),
  };
}

/** Covers every tool that changes files; `//` begins an absolute path. */
const filesBelow = (folder: string): string => `Edit(/${folder}/**)`;

/** A script that has gone must not block a tool: sh would exit 2, which Claude Code takes for "no". */
function hookCommand(path: string, word: string): string {
  const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
  return `[ -r ${quoted} ] || exit 0; exec sh ${quoted} ${word}`;
}
