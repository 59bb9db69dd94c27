// A monitored Claude Code: the settings it is started with, and how it is asked for a verdict. It is
// interactive and never exits by itself, so its hooks write the phase file; its statusline shows the
// clock of the time gate. Its tools may do what work needs, and everything else is refused: no person
// is there to be asked.
import type { Monitored } from "../../ports/runtime.ts";

const ALLOWED = ["Bash", "Edit", "Write", "Read", "Glob", "Grep", "Skill", "Task", "TodoWrite"];
const REFRESH_S = 30;

const claudeHook = (command: string) => [{ hooks: [{ type: "command", command, timeout: 10 }] }];

const says = (phase: string): string =>
  `printf 'PHASE:${phase}\\n' >"$PAWL_PHASE_FILE.hook" && mv -f "$PAWL_PHASE_FILE.hook" "$PAWL_PHASE_FILE"`;

/** A turn that left tasks in the background is not over: they bring another one. */
const STOPPED = `if grep -Eq '"(background_tasks|session_crons)" *: *\\[ *[^] ]'; then ${says("working")}; else ${says("turn_ended")}; fi`;

const STATUSLINE = `sed -n 's/.*"context_window" *:.*"used_percentage" *: *\\([0-9]*\\).*"remaining_percentage".*/\\1/p' | { read -r used; printf '%s | ctx(%s%%) | %s' "\${PWD##*/}" "\${used:-0}" "$(date +%T)"; }`;

const SETTINGS = {
  permissions: { defaultMode: "dontAsk", allow: ALLOWED },
  statusLine: { type: "command", command: STATUSLINE, refreshInterval: REFRESH_S },
  hooks: { Stop: claudeHook(STOPPED), UserPromptSubmit: claudeHook(says("working")) },
};

/**
 * No tools, and nothing of the project's: its hooks, servers and instructions are for the work. That
 * also makes the question a fifth as long.
 */
const ALONE = ["--setting-sources", "user", "--strict-mcp-config", "--no-session-persistence"];

export const MONITORED: Monitored = {
  command: (prompt) => {
    // One word, because not every shell divides what it expands. The file is written at the spawn.
    const settings = '${PAWL_CLAUDE_SETTINGS:+"--settings=$PAWL_CLAUDE_SETTINGS"}';
    return `claude ${settings} --permission-mode dontAsk -- ${prompt}`;
  },
  file: {
    name: "claude-settings.json",
    variable: "PAWL_CLAUDE_SETTINGS",
    content: JSON.stringify(SETTINGS),
  },
  foreign: /^(?:CLAUDECODE$|CLAUDE_CODE_(?:ENTRYPOINT|SSE))/,
  judge: ({ model, system }) => [
    ...(["claude", "-p", "--model", model, "--tools", ""] as const),
    ...ALONE,
    "--system-prompt",
    system,
  ],
};
