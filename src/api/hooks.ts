// An agent's hook as the daemon tells and publishes it: the field names that scripts read.
import type { HookRecord } from "../core/run/hook-record.ts";

export type HookView = HookRecord;
