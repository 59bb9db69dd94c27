// The three levels that vitest runs. Unit tests share their threads without
// isolation: it saves about 90 ms a file and punishes global state. The other two
// start real tmux servers, gits and daemons, so they get processes, and few of them.
import { defineConfig } from "vitest/config";

/** A guard, not a claim: vitest gives up after a second, and a loaded machine is slow. */
const PATIENT = { poll: { timeout: 30_000 } };

/** What is published, in a folder of its own, is what these run. */
const PACKED = ["test/support/pack.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "sim/**/*.test.ts",
            "test/advertised.test.ts",
            "test/links.test.ts",
            "test/plain-words.test.ts",
            "test/reference.test.ts",
            "test/security-page.test.ts",
            "test/tidy.test.ts",
            "test/transcripts.test.ts",
          ],
          pool: "threads",
          isolate: false,
          // A guard, not a claim: a loaded machine is slow.
          testTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          pool: "forks",
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: PATIENT,
        },
      },
      {
        // The real Claude Code against a stub: see test/support/claude.ts.
        test: {
          name: "claude",
          include: ["test/claude/**/*.test.ts"],
          globalSetup: PACKED,
          pool: "forks",
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: PATIENT,
        },
      },
      {
        // The real programs of other agents against a stub: see test/support/agent-programs.ts.
        test: {
          name: "agents",
          include: ["test/agents/**/*.test.ts"],
          globalSetup: PACKED,
          pool: "forks",
          maxWorkers: 2,
          // Cases of one agent, which mostly wait.
          maxConcurrency: 3,
          testTimeout: 600_000,
          hookTimeout: 300_000,
          expect: PATIENT,
        },
      },
      {
        // A real Gitea on loopback: see test/support/real-gitea.ts.
        test: {
          name: "gitea",
          include: ["test/gitea/**/*.test.ts"],
          globalSetup: PACKED,
          pool: "forks",
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: PATIENT,
        },
      },
      {
        // The page in Debian's Chromium: see test/support/chromium.ts.
        test: {
          name: "page",
          include: ["test/page/**/*.test.ts"],
          globalSetup: PACKED,
          pool: "forks",
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // What a page shows may be work that is done first; the browser waits as long.
          expect: { poll: { timeout: 150_000 } },
        },
      },
      {
        test: {
          name: "acceptance",
          include: ["test/acceptance/**/*.test.ts"],
          globalSetup: PACKED,
          pool: "forks",
          // More than the cores of a small machine: they mostly wait for their agents.
          maxWorkers: 3,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: PATIENT,
        },
      },
    ],
  },
});
