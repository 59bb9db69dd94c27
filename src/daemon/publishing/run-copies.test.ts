import { expect, test } from "vitest";
import { testRun, testSession } from "../../../test/support/run.ts";
import type { Run } from "../../core/run/run.ts";
import { newContextUse } from "../../core/session/context-use.ts";
import { pathsOf } from "../host/paths.ts";
import { json, RunCopies } from "./run-copies.ts";
import { agentView } from "../views/agents.ts";

const PATHS = pathsOf("/h", "/r");
const NOW = 1_000_000;

const seenAt = (run: Run, lastSeen: number, change: Partial<Run> = {}): Run => ({
  ...run,
  session: testSession({ lastSeen }),
  ...change,
});

function withContext({ session }: Run, percent: number): Run["session"] {
  const whole = testSession();
  return {
    ...whole,
    ...session,
    evidence: { ...whole.evidence, context: { ...newContextUse(), percent } },
  };
}

test("the copy of an identity is the whole of it after each sign of life, and after any change", () => {
  const copies = new RunCopies(PATHS);
  const begin = testRun({ name: 'a "last_seen": "name"\n  "last_seen": "x' });
  const runs = [
    begin,
    seenAt(begin, 10_000),
    seenAt(begin, 500_000),
    seenAt(begin, NOW, { stage: { kind: "queued" } as Run["stage"] }),
    seenAt(begin, NOW + 1, { stage: { kind: "queued" } as Run["stage"] }),
    seenAt(begin, NOW + 2, { session: withContext(begin, 40) }),
    seenAt(begin, NOW + 3, { session: withContext(begin, 80) }),
    seenAt(begin, NOW + 4, { hook: { ...begin.hook, summary: "more" } }),
  ];
  for (const run of runs) {
    const [, identity] = copies.of(run, NOW);
    expect(identity?.content).toBe(json(agentView(run, { paths: PATHS, now: NOW })));
  }
});
