// A CI server behind real HTTP for the contract of CI servers. Time passes for it by looks: a test
// goes on when everything that is waited for has ended, or was looked at several times more.
import { createServerCi, type ToldRun } from "../../src/adapters/ci-server/server-ci.ts";
import type { Verdicts } from "../../src/adapters/ci-server/verdict.ts";
import { systemClock } from "../../src/adapters/clock-system/system-clock.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { CiServerUnderTest } from "../../src/ports/ci-server.contract.ts";

const POLL_MS = 10;
/** The first may have been under way before what the test reported last. */
const LOOKS = 3;

export function serverCiUnderTest(
  verdicts: Verdicts,
): Pick<CiServerUnderTest, "server" | "pass"> & { stop: () => void } {
  const told = new Map<string, ToldRun>();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const one of waiting) one();
  };
  let looks = 0;
  let judging = 0;
  const stopped = new AbortController();
  const server = createServerCi({
    verdicts: {
      ...verdicts,
      verdict: async (commit, isPr) => {
        const verdict = await verdicts.verdict(commit, isPr);
        looks += 1;
        wake();
        return verdict;
      },
    },
    told: {
      get: async (commit) => told.get(commit),
      put: async (commit, run) => void told.set(commit, run),
    },
    clock: systemClock,
    crash: noCrash,
    pollMs: POLL_MS,
  });
  return {
    server: {
      ...server,
      async judge(request) {
        judging += 1;
        const signal = AbortSignal.any([request.signal, stopped.signal]);
        try {
          return await server.judge({ ...request, signal });
        } finally {
          judging -= 1;
          wake();
        }
      },
    },
    async pass() {
      const until = looks + LOOKS;
      while (judging > 0 && looks < until) {
        await new Promise<void>((resolve) => waiting.add(resolve));
        waiting.clear();
      }
      // Those who asked hear of the end after this.
      await new Promise((resolve) => setImmediate(resolve));
    },
    stop: () => stopped.abort(),
  };
}
