// An orchestrator's script, word for word, and the program that it calls `$scripts`.
import { join } from "node:path";

export const SHIM = join(import.meta.dirname, "../../scripts/story-automator");

export const SEED_SCRIPT = `
# STEP 1: Spawn session (use $scripts tmux-wrapper)
session_name=$("$scripts" tmux-wrapper spawn create 5 5.3 \\
--command "$("$scripts" tmux-wrapper build-cmd create 5.3 --state-file "$state_file")")
# STEP 2: Monitor until completion (SINGLE API CALL)
result=$("$scripts" monitor-session "$session_name" \\
--verbose --json \\
--workflow create --story-key 5.3 --state-file "$state_file")
# STEP 3: Verify success against the shared create contract
validation=$("$scripts" orchestrator-helper verify-step create 5.3 --state-file "$state_file")
verified=$(echo "$validation" | jq -r '.verified')
# STEP 4: Act on verifier result
[ "$verified" = "true" ] || echo "retry-or-escalate"
# STEP 5: ALWAYS cleanup session (v1.2.0)
"$scripts" tmux-wrapper kill "$session_name"
`;
