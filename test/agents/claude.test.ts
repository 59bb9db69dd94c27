// Claude Code in its own terminal, as every agent is tested. test/claude has what only it can do.
import { CLAUDE } from "../support/tested-agents.ts";
import { conformance } from "./conformance.ts";
import { furtherCases } from "./further-cases.ts";

conformance(CLAUDE);
furtherCases(CLAUDE, { settings: 'model = "haiku"', asked: /haiku/ });
