// What went wrong without stopping the run, kept for `status`: the newest few.
import type { Context } from "../context.ts";
import type { Run } from "./run.ts";

const WARNINGS_MAX = 20;

export const warn = (run: Run, text: string, context: Context): Run => ({
  ...run,
  warnings: [...run.warnings, { at: context.at, text }].slice(-WARNINGS_MAX),
});
