// The entry of `story-automator`: the commands for scripts that drive sessions themselves, under the
// name and with the exit codes that such scripts know.
import { EXIT } from "./deps.ts";
import { STORY_COMMANDS } from "./story-commands.ts";
import { runMain } from "./run-main.ts";

await runMain(STORY_COMMANDS, {
  name: "story-automator",
  description: "Spawns, watches and verifies sessions of coding agents for a script.",
  examples: `
Examples:
  name=$(story-automator tmux-wrapper spawn create 5 5.3)
  story-automator monitor-session "$name" --json
  story-automator orchestrator-helper verify-step create 5.3

Exit codes: 0 ok, 1 failed or wrong usage, 4 not allowed.`,
  usageCode: EXIT.failed,
});
