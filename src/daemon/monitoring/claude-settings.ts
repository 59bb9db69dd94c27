// The settings that a monitored Claude Code is started with. It is interactive and never exits by
// itself, so its hooks write the phase file; its statusline shows the clock of the time gate. Its
// tools may do what work needs, and everything else is refused: no person is there to be asked.
import { join } from "node:path";

const ALLOWED = ["Bash", "Edit", "Write", "Read", "Glob", "Grep", "Skill", "Task", "TodoWrite"];
const REFRESH_S = 30;

export const claudeSettingsPath = (dir: string): string => join(dir, "claude-settings.json");

export function claudeSettings(): string {
  return JSON.stringify({
    permissions: { defaultMode: "dontAsk", allow: ALLOWED },
    statusLine: { type: "command", command: STATUSLINE, refreshInterval: REFRESH_S },
    hooks: { Stop: hook(STOPPED), UserPromptSubmit: hook(says("working")) },
  });
}

const hook = (command: string) => [{ hooks: [{ type: "command", command, timeout: 10 }] }];

const says = (phase: string): string =>
  `printf 'PHASE:${phase}\\n' >"$PAWL_PHASE_FILE.hook" && mv -f "$PAWL_PHASE_FILE.hook" "$PAWL_PHASE_FILE"`;

/** A turn that left tasks in the background is not over: they bring another one. */
const STOPPED = `if grep -Eq '"(background_tasks|session_crons)" *: *\\[ *[^] ]'; then ${says("working")}; else ${says("turn_ended")}; fi`;

const STATUSLINE = `sed -n 's/.*"context_window" *:.*"used_percentage" *: *\\([0-9]*\\).*"remaining_percentage".*/\\1/p' | { read -r used; printf '%s | ctx(%s%%) | %s' "\${PWD##*/}" "\${used:-0}" "$(date +%T)"; }`;
