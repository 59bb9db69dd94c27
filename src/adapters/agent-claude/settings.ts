// The settings file that Claude Code is started with: hooks, statusline, and what it may do. Rules
// are checked by Claude Code on the parsed input of a tool, and a refusal reaches the model.
import type { ClaudeSettings } from "./runtime.ts";

export type Places = {
  /** The epoch's own copy of the hook script. */
  hookScript: string;
  workspace: string;
  /** The epoch's folder: phase, inbox and spool are there. */
  dir: string;
  /** Where all of Pawl's own state is. */
  factory: string;
  /** Pawl's walls stand around it. */
  isWalled: boolean;
};

/** Hooks that only report; PreToolUse does, too. */
const EVENTS = [
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

/** What writes files by itself; a shell is held by what the session does not have. */
const WRITERS = "^(Edit|MultiEdit|Write|NotebookEdit)$";

const TIMEOUT_S = 10;
/** Often enough to show life, and no oftener. */
const REFRESH_S = 30;

export function settingsFor(claude: ClaudeSettings, places: Places): Record<string, unknown> {
  const command = (...words: string[]): string => hookCommand(places.hookScript, words);
  const claudeHook = (...words: string[]) => [
    { hooks: [{ type: "command", command: command(...words), timeout: TIMEOUT_S }] },
  ];
  const { factory, workspace, dir } = places;
  const guard = claudeHook("guard", factory, workspace, dir).map((one) => ({
    matcher: WRITERS,
    ...one,
  }));
  return {
    permissions: {
      defaultMode: claude.permissionMode,
      allow: [...claude.allow, filesBelow(places.workspace), filesBelow(places.dir)],
      deny: claude.deny,
    },
    statusLine: { type: "command", command: command("statusline"), refreshInterval: REFRESH_S },
    hooks: {
      SessionStart: claudeHook("start"),
      UserPromptSubmit: claudeHook("prompt"),
      // In every permission mode: what would break Pawl itself is no user's wish.
      PreToolUse: [...claudeHook("event"), ...guard],
      ...Object.fromEntries(EVENTS.map((event) => [event, claudeHook("event")])),
    },
    // A sandbox of its own cannot be built inside walls, also where the user's settings ask for one.
    ...(places.isWalled ? { sandbox: { enabled: false } } : {}),
    // Claude Code asks for a confirmation that no person is there to give. Pawl warns instead.
    ...(claude.permissionMode === "bypassPermissions"
      ? { skipDangerousModePermissionPrompt: true }
      : {}),
  };
}

/** Covers every tool that changes files; `//` begins an absolute path. */
const filesBelow = (folder: string): string => `Edit(/${folder}/**)`;

/** A script that has gone must not block a tool: sh would exit 2, which Claude Code takes for "no". */
function hookCommand(path: string, words: string[]): string {
  return `[ -r ${quote(path)} ] || exit 0; exec sh ${[path, ...words].map(quote).join(" ")}`;
}

const quote = (text: string): string =>
  /^[a-z]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
