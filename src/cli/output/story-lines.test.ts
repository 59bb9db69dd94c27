import { describe, expect, test } from "vitest";
import type { RunView } from "../../api/runs.ts";
import { newsOf } from "./story-lines.ts";

const RUN: RunView = {
  run: "7.1",
  project: "demo",
  issue: 7,
  title: "Fix the parser",
  identity: "dev-7",
  role: "dev",
  agent: "script",
  stage: "working",
  doing: "working",
  needs_you: null,
  phase: null,
  epoch: 1,
  crashes: 0,
  alive: true,
  pid: 42,
  tmux_session: "dev-demo-7",
  branch: "pawl/7-fix-the-parser",
  head: null,
  base: null,
  pr: 8,
  worktree_path: "/w",
  log_path: "/l",
  requested_at: "2026-01-01T00:00:00.000Z",
  ended_at: null,
  outcome: null,
  landed_as: null,
  messages: [],
  waiting: null,
  last_seen: null,
  last_progress: null,
  work_phase: "implementation",
  work_summary: "the parser",
  warnings: [],
};

const told = (before: Partial<RunView> | undefined, now: Partial<RunView>): string[] =>
  newsOf(before === undefined ? undefined : { ...RUN, ...before }, { ...RUN, ...now }).map(
    ({ mark, text }) => `${mark} ${text}`,
  );

const message = (id: string, kind: string): RunView["messages"][number] => ({
  id,
  kind,
  status: "queued",
  epoch: null,
  at: "2026-03-01T12:00:00.000Z",
  urgent: false,
  overdue: false,
});

test("a run that was answered before the first look says so, also where its agent is done by then", () => {
  const answered = { messages: [message("m1", "answer")], stage: "fetching", doing: "fetching" };
  expect(told(undefined, { ...answered, epoch: 1 })).toEqual(["▶ answered; the agent continues"]);
});

test("a run that was resumed is not said to be answered", () => {
  const resumed = { messages: [{ ...message("m1", "answer"), resumes: true }], epoch: 2 };
  const starting = { alive: false, pid: null, doing: "starting the agent" };
  expect(told(undefined, { ...resumed, ...starting })).toEqual(["▶ resumed; the agent continues"]);
  expect(told({ epoch: 1 }, resumed)).toEqual(["▶ resumed; the agent continues"]);
});

describe("a run whose agent was never started does not continue", () => {
  const none = { alive: false, pid: null, has_predecessor: false };
  const starting = { ...none, doing: "starting the agent" };

  test("its start is told when it happens, and once", () => {
    expect(told(undefined, starting)).toEqual([]);
    expect(told(starting, {})).toEqual(["▶ agent at work (script)"]);
    expect(told({ epoch: 0, stage: "preparing" }, starting)).toEqual([]);
    const next = { epoch: 2, has_predecessor: true };
    expect(told({}, { ...starting, ...next })).toEqual([]);
    expect(told({ ...starting, ...next }, next)).toEqual([]);
  });

  test("nor does a new run of an issue that had another one", () => {
    const claiming = { ...none, epoch: 3, stage: "claiming", doing: "claiming the issue" };
    expect(told(undefined, claiming)).toEqual([]);
    const begun = { epoch: 4, has_predecessor: false };
    expect(told(claiming, begun)).toEqual(["▶ agent at work (script)"]);
    expect(told(undefined, begun)).toEqual(["▶ agent at work (script)"]);
  });

  test("what it asks is told", () => {
    const asked = { stage: "escalated", needs_you: "the agent cannot be started" };
    expect(told(undefined, { ...none, ...asked })).toEqual([
      "? needs you: the agent cannot be started",
    ]);
  });
});

describe("what passes by is not told", () => {
  test.each(["claiming", "preparing", "publishing", "checking"])("%s", (stage) => {
    expect(told({}, { stage, doing: "…" })).toEqual([]);
  });

  test("the same look twice", () => {
    const asked = { stage: "escalated", needs_you: "which?", messages: [message("m1", "nudge")] };
    expect(told(asked, asked)).toEqual([]);
  });

  test("messages that only confirm", () => {
    const messages = [message("m1", "ci-passed"), message("m2", "landed")];
    expect(told({}, { messages })).toEqual([]);
  });

  test("a run that had ended before the first look", () => {
    expect(told(undefined, { stage: "ended", outcome: "landed", landed_as: "c0ffee" })).toEqual([]);
  });
});

describe("what a person cares for is told once", () => {
  test("an agent that starts, with what it is", () => {
    expect(told({ epoch: 0, stage: "preparing" }, {})).toEqual(["▶ agent at work (script)"]);
  });

  test("red CI, a conflict, a red combination and a review that go back to the agent", () => {
    const kinds = ["ci-failed", "conflict", "tests-failed", "review-changes"];
    const messages = kinds.map((kind, index) => message(`m${index}`, kind));
    expect(told({}, { messages })).toEqual([
      "✗ CI failed; back to the agent",
      "↩ sent back: conflicts with what has landed",
      "↩ sent back: CI fails with what has landed",
      "↩ changes requested; back to the agent",
    ]);
  });

  test("a crash, how its session ended, and when the next one starts", () => {
    expect(told({}, { crashes: 1, epoch: 2 })).toEqual(["↻ crashed; resumes"]);
    const doing = "crashed, starts again in 10 s";
    expect(told({ crashes: 1 }, { crashes: 2, doing })).toEqual(["↻ crashed; again in 10 s"]);
    expect(newsOf(RUN, { ...RUN, crashes: 1 }, "exit 2")).toMatchObject([
      { text: "crashed (exit 2); resumes" },
    ]);
  });

  test("of an agent whose command cannot be started it is not said that it resumes", () => {
    for (const exit of ["exit 126", "exit 127"]) {
      const [news] = newsOf(RUN, { ...RUN, crashes: 1 }, exit);
      expect(news?.text).toBe(`crashed (${exit})`);
    }
  });

  test("of the third crash, after which a person is asked, it is not said that the agent resumes", () => {
    expect(told({ crashes: 2 }, { crashes: 3 })).toEqual(["↻ crashed"]);
  });

  test("a crash that is put before a person is told as the question", () => {
    const now = { crashes: 3, stage: "escalated", needs_you: "crashed 3 times" };
    expect(told({ crashes: 2 }, now)).toEqual(["? needs you: crashed 3 times"]);
  });

  test("a review that is waited for, with the command that gives it", () => {
    const now = { stage: "reviewing", needs_you: "waiting for a review" };
    expect(told({ stage: "checking" }, now)).toEqual([
      "? green; waiting for a review: pawl pr review 8 --approve",
    ]);
  });

  test("the merge queue, and the end", () => {
    expect(told({ stage: "checking" }, { stage: "queued" })).toEqual([
      "· green; in the merge queue",
    ]);
    const landed = { stage: "landed", outcome: "landed", landed_as: "0123456789abcdef" };
    expect(told({ stage: "queued" }, landed)).toEqual(["✓ landed as 0123456789"]);
    expect(told(landed, { ...landed, stage: "ended" })).toEqual([]);
    const blocked = { stage: "blocking", outcome: "blocked", doing: "given up: too large" };
    expect(told({}, blocked)).toEqual(["✗ given up: too large"]);
    expect(told(blocked, { ...blocked, doing: "blocked: too large" })).toEqual([]);
  });

  test("a person who stops a run", () => {
    expect(told({}, { needs_you: "stopped by ada" })).toEqual(["? stopped by ada"]);
  });

  test("a run that was there before: where it stands", () => {
    expect(told(undefined, { stage: "queued" })).toEqual(["· green; in the merge queue"]);
    expect(told(undefined, { stage: "checking", doing: "CI is running" })).toEqual([
      "▶ continues: CI is running",
    ]);
  });
});
