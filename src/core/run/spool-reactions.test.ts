import { expect, test } from "vitest";
import {
  contextAt,
  kinds,
  tellKinds,
  testMessage,
  testRun,
  testSession,
} from "../../../test/support/run.ts";
import type { Run } from "./run.ts";
import { limited, spoolReceived, worksAgain } from "./spool-reactions.ts";
import { newEvidence } from "../session/evidence.ts";

const say = (run: Run, text: string, at = 9): Run =>
  spoolReceived(run, { kind: "spool-received", at, epoch: 1, name: "1.json", text }, contextAt(at));
const said = (run: Run, fields: Record<string, unknown>, at = 9): Run =>
  say(run, JSON.stringify({ v: 1, at: 0, ...fields }), at);

test("tools, turns, prompts and the hook are progress; clocks, context and nonsense are not", () => {
  const progress = (fields: Record<string, unknown>): number | undefined =>
    said(testRun(), fields).session?.lastProgress;
  for (const kind of ["stop", "prompt", "hook"]) expect(progress({ kind })).toBe(9);
  expect(progress({ kind: "tool", tool: "Read" })).toBe(9);
  for (const kind of ["compact", "limit", "nonsense"]) expect(progress({ kind })).toBe(0);
  expect(progress({ kind: "context", percent: 1 })).toBe(0);
  expect(progress({ kind: "statusline", clock: "10:00:00" })).toBe(0);
});

test("a prompt that carries a message's id proves that it was read", () => {
  const run = testRun({ messages: [testMessage({ status: "delivered" })] });
  expect(said(run, { kind: "prompt", id: "m1" }).messages[0]?.status).toBe("acknowledged");
  expect(said(run, { kind: "prompt" }).messages[0]?.status).toBe("delivered");
});

test("who leaves is let go when its turn is over and its hook is set, whichever is read first", () => {
  const handOff = { requestedAt: 0, deadline: 60_000, saved: false };
  const leaves = testRun({ session: testSession({ handOff }) });
  const read = (kinds: string[]): Run => kinds.reduce((run, kind) => said(run, { kind }), leaves);
  expect(read(["hook", "stop"]).session?.verdict).toBe("handed_off");
  expect(read(["stop", "hook"]).session?.verdict).toBe("handed_off");
  expect(read(["stop", "prompt", "hook"]).session?.status).toBe("live");
});

test("nonsense is warned about a few times per life, and counted", () => {
  let run = testRun();
  for (let time = 0; time < 9; time += 1) run = say(run, "{");
  expect(run.warnings).toHaveLength(5);
  expect(run.warnings[4]?.text).toContain("further ones of this session are not shown");
  expect(run.session?.evidence.refused).toBe(9);
});

test("a call for help asks a person; the session goes on waiting", () => {
  const run = said(testRun(), { kind: "help", text: "Which format?" });
  expect(run.stage).toMatchObject({ kind: "escalated", escalation: { reason: "Which format?" } });
  expect(run.session?.status).toBe("live");
});

test("a limit is a wait that the next tool call ends; the same one again is said once", () => {
  const until = 50_000_000_000_000;
  const limited = said(testRun(), { kind: "limit", until, reason: "window" });
  expect(limited.session?.evidence.limit?.until).toBe(9 + 8 * 24 * 3_600_000);
  expect(said(limited, { kind: "limit", until, reason: "window" }).warnings).toHaveLength(1);
  const works = said(limited, { kind: "tool", tool: "Read" }, 10);
  expect(works.session?.evidence).toMatchObject({ limit: undefined, stopped: undefined });
});

test("a life that is ended may still ask; what its hooks report changes nothing", () => {
  const ending = testRun({ session: testSession({ status: "ending" }) });
  for (const kind of ["stop", "idle", "prompt"]) {
    expect(said(ending, { kind })).toBe(ending);
  }
  expect(said(ending, { kind: "nonsense" }).warnings.at(-1)?.text).toContain(
    'kind "nonsense" is not known',
  );
  const run = said(ending, { kind: "help", text: "Which format?" });
  expect(run.stage).toMatchObject({ kind: "escalated", escalation: { reason: "Which format?" } });
  const ended = testRun({ session: testSession({ status: "ended" }) });
  expect(said(ended, { kind: "help", text: "?" })).toBe(ended);
});

test("an agent found waiting has stopped, unless its hooks said so or it asks (defect 19)", () => {
  const found = said(testRun(), { kind: "idle" });
  expect(found.session?.evidence.stopped).toEqual({ at: 9, background: 0 });
  const stopped = said(testRun(), { kind: "stop", background: 1 }, 5);
  expect(said(stopped, { kind: "idle" }).session?.evidence.stopped?.background).toBe(1);
  const asking = said(testRun(), { kind: "question", text: "Which?", choices: [] }, 5);
  expect(said(asking, { kind: "idle" }).session?.evidence.stopped).toBeUndefined();
});

test("a limit is told to the project, and so is the first work after it", () => {
  const context = contextAt(9);
  const event = (fields: Record<string, unknown>) =>
    ({
      kind: "spool-received",
      at: 9,
      epoch: 1,
      name: "1.json",
      text: JSON.stringify({ v: 1, ...fields }),
    }) as const;
  const limit = { kind: "limit", until: 1000, reason: "rate_limit" };
  const waiting = spoolReceived(testRun(), event(limit), context);
  spoolReceived(waiting, event({ kind: "tool", tool: "Bash" }), context);
  expect(context.output.tells.map(({ event: told }) => told.kind)).toEqual([
    "account-limited",
    "account-freed",
  ]);
});

test("an older request that ends beside a refused one does not lift the limit, one after it does", () => {
  const limited = said(testRun(), { kind: "limit", until: 1000, reason: "429" });
  const usage = { kind: "usage", tokens: 1, usd: 0 };
  const beside = said(limited, { ...usage, requests: 2 }, 10);
  const { limit, idle, requests } = beside.session?.evidence ?? {};
  expect([limit?.until, requests?.total]).toEqual([1_000_000, 2]);
  // It is what wakes the agent when the limit is over.
  expect(idle).toEqual(limited.session?.evidence.idle);
  const after = said(beside, { ...usage, requests: 3 }, 1_000_000);
  expect(after.session?.evidence.limit).toBeUndefined();
});

const MINUTE_MS = 60_000;
const withLimit = (limit: { ask: boolean; retryMs: number }): Run => {
  const run = testRun();
  const config = { ...run.config, agent: { ...run.config.agent, limit } };
  return { ...run, config };
};

test("a limit that names no end is tried again after what was configured, else after 15 minutes", () => {
  const until = (run: Run) =>
    limited(run, { until: undefined, reason: "429" }, contextAt(5)).session?.evidence.limit?.until;
  expect(until(testRun())).toBe(5 + 15 * MINUTE_MS);
  expect(until(withLimit({ ask: false, retryMs: 100 }))).toBe(105);
});

test("a person who wants to be asked is asked once, and the limit holds for the whole project", () => {
  const context = contextAt(5);
  const run = withLimit({ ask: true, retryMs: 100 });
  const until = 60 * MINUTE_MS;
  const asked = limited(run, { until, reason: "429" }, context);
  expect(asked.stage).toMatchObject({
    kind: "escalated",
    escalation: { reason: "usage limit until 1970-01-01T01:00:00.000Z: 429" },
  });
  // The project waits for the answer to this run.
  expect(context.output.tells).toMatchObject([{ event: { kind: "account-limited", run: run.id } }]);
  expect(kinds(context.output)).toEqual(["notify"]);
  const again = contextAt(6);
  expect(limited(asked, { until, reason: "429" }, again).stage).toEqual(asked.stage);
  expect(again.output.tells).toEqual([]);
});

test("a limit that ends within five minutes is waited for, and no person is asked", () => {
  const context = contextAt(5);
  const run = withLimit({ ask: true, retryMs: 60 * MINUTE_MS });
  const short = limited(run, { until: 5 * MINUTE_MS, reason: "429" }, context);
  expect(short.stage).toEqual(run.stage);
  expect(short.session?.evidence.limit?.until).toBe(5 * MINUTE_MS);
  expect(context.output.tells).toMatchObject([
    { event: { kind: "account-limited", isShort: true } },
  ]);
});

test("who works again frees the account, and only who was limited", () => {
  const limit = { until: 50, reason: "429" };
  const evidence = { ...newEvidence(), limit };
  const context = contextAt(60);
  const free = worksAgain(testRun({ session: testSession({ evidence }) }), context);
  expect(free.session?.evidence.limit).toBeUndefined();
  expect(tellKinds(context.output)).toEqual(["account-freed"]);
  const other = contextAt(60);
  worksAgain(testRun(), other);
  expect(other.output.tells).toEqual([]);
});
