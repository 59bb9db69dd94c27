// Claude Code in its own terminal, as every agent is tested. test/claude has what only it can do.
import { CLAUDE } from "../support/tested-agents.ts";
import { conformance } from "./conformance.ts";

conformance(CLAUDE);
