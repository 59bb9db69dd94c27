// The review role as tests need it.
import type { ReviewRole } from "../../src/core/config.ts";
import type { Run } from "../../src/core/run/run.ts";

export const testRole = (change: Partial<ReviewRole> = {}): ReviewRole => ({
  model: undefined,
  parallel: 3,
  diffMaxBytes: 25_000,
  docs: "review",
  idleMs: 600_000,
  ...change,
});

export const withReviewRole = (run: Run, role = testRole()): Run => ({
  ...run,
  config: { ...run.config, review: { required: false, role } },
});
