import { createFakeClock } from "../../../test/support/clock.ts";
import { commitId, treeId, type Commit } from "../../core/ids.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { ciServerContract } from "../../ports/ci-server.contract.ts";
import type { Status } from "../../ports/forge.ts";
import { createForgeVerdicts } from "./forge-verdicts.ts";
import { createServerCi, type ToldRun } from "./server-ci.ts";

const POLL_MS = 30_000;
const CONTEXTS = ["lint", "test"];

ciServerContract("a forge's checks, as a CI server,", async () => {
  const clock = createFakeClock();
  const statuses = new Map<Commit, Status[]>();
  const told = new Map<string, ToldRun>();
  let commits = 0;
  const verdicts = createForgeVerdicts({
    forge: { statuses: async (commit) => statuses.get(commit) ?? [] },
    target: "main",
    contexts: CONTEXTS,
    now: () => clock.now(),
  });
  const memory = {
    get: async (commit: string) => told.get(commit),
    put: async (commit: string, run: ToldRun) => void told.set(commit, run),
  };
  return {
    server: createServerCi({ verdicts, told: memory, clock, crash: noCrash, pollMs: POLL_MS }),
    contexts: CONTEXTS,
    async commit() {
      commits += 1;
      return { commit: commitId(`c${commits}`), tree: treeId(`t${commits}`) };
    },
    async report(commit, { context, state }) {
      const others = (statuses.get(commit) ?? []).filter((one) => one.context !== context);
      const shown = state === "success" || state === "failure" ? state : "pending";
      const status: Status = { context, state: shown, description: state, url: undefined };
      statuses.set(commit, [...others, status]);
    },
    pass: () => clock.pass(3 * POLL_MS),
    close: async () => undefined,
  };
});
