// An agent's hook as the daemon tells and publishes it: the fields of seed 002 under their own names.
import type { HookRecord } from "../core/run/hook-record.ts";

export type HookView = HookRecord;
