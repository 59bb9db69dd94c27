// The words of the protocols that commands check before they write them, without any schema: what
// agents run must start fast.
import { PRIORITIES } from "../core/mail/letter.ts";
import { PHASES } from "../core/run/phase.ts";
import { WORK_PHASES } from "../core/session/hook.ts";

/** `needs_human` is the older name of `escalate`. */
export const PHASE_WORDS: readonly string[] = [...PHASES, "needs_human"];
export const WORK_PHASE_WORDS: readonly string[] = WORK_PHASES;
export const PRIORITY_WORDS: readonly string[] = PRIORITIES;
export const TESTS_WORDS: readonly string[] = ["passed", "failed", "unknown"];
