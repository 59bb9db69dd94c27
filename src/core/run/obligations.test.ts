import { expect, test } from "vitest";
import {
  BASE,
  HEAD,
  contextAt,
  escalated,
  kinds,
  stepped,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import { emptyOutput } from "../effect.ts";
import { commitId, treeId } from "../ids.ts";
import { newEvidence } from "../session/evidence.ts";
import { block } from "./escalate.ts";
import { postStatus, startCheck } from "./obligations.ts";
import type { Run } from "./run.ts";
import type { Stage } from "./stage.ts";
import { endSession } from "./session-life.ts";

test("a step that changes nothing asks for nothing", () => {
  expect(wants(testRun(), testRun())).toEqual(emptyOutput());
});

test("what is under way already is not asked for again, and what is gone is cancelled", () => {
  const publishing = testRun({ stage: { kind: "publishing", head: HEAD, ordinal: 1 } });
  const later: Run = {
    ...publishing,
    phase: { ordinal: 2, phase: "awaiting_ci", reason: undefined, at: 1 },
  };
  expect(wants(publishing, later)).toEqual(emptyOutput());
  const asked: Run = { ...later, stage: escalated() };
  const key = `run:toy/42.1:publish:1:${HEAD}`;
  expect(wants(later, asked).cancelled).toEqual([key]);
  expect(wants(asked, later).effects).toMatchObject([
    { key, lane: "run:toy/42.1:forge", effect: { head: HEAD } },
  ]);
});

test.each<[Partial<Run>, string[]]>([
  [{ stage: { kind: "claiming" } }, ["claim-issue run:toy/42.1:forge"]],
  [{ stage: { kind: "preparing" } }, ["prepare-workspace run:toy/42.1:git"]],
  [{ stage: { kind: "fetching", ordinal: 3 } }, ["fetch-branch run:toy/42.1:git"]],
  [{ session: testSession({ status: "spawning" }) }, ["spawn-session run:toy/42.1"]],
  [
    { session: testSession({ evidence: { ...newEvidence(), looking: true } }) },
    ["look-at-session run:toy/42.1:look:1"],
  ],
])("%j stands for %j", (change, wanted) => {
  const { effects } = wants(testRun(), testRun(change));
  expect(effects.map(({ effect, lane }) => `${effect.kind} ${lane}`)).toEqual(wanted);
});

test("an end that follows a settlement does not wait for it", () => {
  const run = endSession(block(testRun(), "too large", contextAt()), "blocked");
  const lanes = wants(testRun(), run).effects.map(({ lane, effect }) => `${effect.kind} ${lane}`);
  expect(lanes).toEqual([
    "end-session run:toy/42.1",
    "checkpoint run:toy/42.1",
    "settle-issue run:toy/42.1:forge",
  ]);
});

test("a session that is stopped before it was started is not started first", () => {
  const spawning = testRun({ session: testSession({ status: "spawning" }) });
  const { output } = stepped(spawning, { kind: "run-stopped", at: 1, by: "ada" });
  expect(output.cancelled).toContain("run:toy/42.1:spawn:1");
  expect(kinds(output)).toEqual(["end-session", "checkpoint"]);
});

test("what was to be typed into a session that ends is cancelled, and told to the next one", () => {
  const run = testRun({ messages: [testMessage({ epoch: 1 })] });
  const { output, run: stopped } = stepped(run, { kind: "run-stopped", at: 1, by: "ada" });
  expect(output.cancelled).toContain("run:toy/42.1:deliver:1:m1");
  expect(stopped.messages).toMatchObject([{ status: "queued" }]);
});

test("an issue that is closed while it is claimed is claimed no more, and given back", () => {
  const claiming = testRun({ stage: { kind: "claiming" }, session: undefined, epoch: 0 });
  const { output } = stepped(claiming, {
    kind: "issue-observed",
    at: 1,
    state: "closed",
    labels: [],
  });
  expect(output.cancelled).toContain("run:toy/42.1:claim");
  expect(kinds(output)).toContain("settle-issue");
});

test("a check has a lane of its own, so that it holds up no message", () => {
  const [check] = wants(testRun(), startCheck(testRun(), { head: HEAD, attempt: 1 })).effects;
  expect(check?.lane).toBe(check?.key);
});

test("the check that was started is the one that is cancelled, also after later changes", () => {
  const run = startCheck(testRun(), { head: HEAD, attempt: 1 });
  const [check] = wants(testRun(), run).effects;
  const later: Run = { ...run, phase: { ordinal: 9, phase: "done", reason: undefined, at: 0 } };
  expect(wants(later, { ...later, stage: { kind: "working" } }).cancelled).toEqual([check?.key]);
});

const landed: Stage = {
  kind: "landed",
  commit: commitId("merged"),
  exitBy: 0,
  clearing: { issueSettled: true, sessionGone: true, workspaceGone: false },
};

test("what is only saved or deleted is carried out, though the run has ended meanwhile", () => {
  const run = testRun({ head: HEAD, stage: landed, session: testSession({ status: "ended" }) });
  expect(kinds(wants(testRun(), run))).toEqual(["delete-branch", "checkpoint", "remove-workspace"]);
  expect(wants(run, { ...run, stage: { kind: "ended" } }).cancelled).toEqual([
    "run:toy/42.1:remove-workspace",
  ]);
});

test("a journal of before, which has no phase in its stage, publishes under the last phase", () => {
  const phase = { ordinal: 4, phase: "awaiting_ci", reason: undefined, at: 0 } as const;
  const older = testRun({ phase, stage: { kind: "publishing", head: BASE } });
  expect(wants(older, testRun({ phase })).cancelled).toEqual(["run:toy/42.1:publish:4"]);
});

const forge = { kind: "gitea", url: "https://forge.example", owner: "a", repo: "b" } as const;
const run = testRun();
const onForge = { ...run, config: { ...run.config, forge } };
const infra = { kind: "infra", tree: treeId("t"), message: "no disk", logTail: "" } as const;

test("what CI says goes to the forge, in a lane of its own", () => {
  const context = contextAt();
  postStatus(onForge, { head: HEAD, outcome: undefined }, context);
  postStatus(onForge, { head: HEAD, outcome: infra }, context);
  const [begun, broken] = context.output.effects;
  expect(begun?.effect).toMatchObject({ kind: "post-status", head: HEAD, state: "pending" });
  expect(broken?.effect).toMatchObject({ state: "error" });
  expect(begun?.lane).toBe(broken?.lane);
  expect(begun?.key).not.toBe(broken?.key);
  expect(begun?.lane).not.toBe(`run:${run.project}:${run.id}`);
});

test("where issues live in the journal, no status is posted", () => {
  const context = contextAt();
  postStatus(run, { head: HEAD, outcome: undefined }, context);
  expect(context.output.effects).toEqual([]);
});
