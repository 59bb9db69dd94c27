// Whether a step did what it was for, by what it left behind: never by what the session said.
import { join } from "node:path";
import { findStory } from "../../core/monitoring/sprint.ts";
import {
  blockingFindings,
  missingSections,
  storyStatus,
} from "../../core/monitoring/story-file.ts";
import { epicOf, parseStoryKey } from "../../core/monitoring/story-key.ts";
import type { StoryKey } from "../../core/monitoring/story-key.ts";
import { STEPS } from "./build-command.ts";
import { changesSince } from "./git-facts.ts";
import { lastSpawn, readLedger } from "./ledger.ts";
import type { Spawn } from "./ledger.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { runProjectTests } from "./project-tests.ts";
import { readIfThere, readSprint, retrospectives, storyFiles } from "./story-files.ts";

export type Verified = { verified: boolean; step: string; story: string; reason?: string } & Record<
  string,
  unknown
>;

type Task = { place: MonitorPlace; step: string; story: string; key: StoryKey | undefined };

const isStep = (step: string): boolean => STEPS.some((one) => one === step);

export async function verifyStep(
  place: MonitorPlace,
  { step, story }: { step: string; story: string },
): Promise<Verified> {
  const task: Task = { place, step, story, key: parseStoryKey(story) };
  if (!isStep(step)) return no(task, "verifier_contract_invalid", { error: `no step "${step}"` });
  if (step === "retro") return verifyRetro(task);
  if (task.key === undefined) return no(task, "verifier_contract_invalid", { error: "no story" });
  if (step === "create") return verifyCreate(task, task.key);
  return step === "review" ? verifyReview(task, task.key) : verifyWork(task);
}

async function verifyCreate(task: Task, key: StoryKey): Promise<Verified> {
  const { root } = task.place;
  const files = await storyFiles(root, key);
  const [file] = files;
  if (file === undefined || files.length > 1) {
    return no(task, "unexpected_story_artifact_count", { expected: 1, found: files.length, files });
  }
  const text = (await readIfThere(join(root, file))) ?? "";
  if (text.trim() === "") return no(task, "story_file_empty", { story_file: file });
  const missing = missingSections(text);
  if (missing.length > 0) return no(task, "story_sections_missing", { story_file: file, missing });
  return yes(task, { source: "story-file", story_file: file });
}

/** Commits or changed files since the spawn, and tests that pass. */
async function verifyWork(task: Task): Promise<Verified> {
  const spawn = await spawnOf(task);
  if (spawn === undefined) return no(task, "spawn_unknown");
  const { commits, files } = await changesSince(task.place.root, spawn.git);
  const changed = { source: "git", commits, files_changed: files.length };
  if (commits === 0 && files.length === 0) return no(task, "no_changes_since_spawn", changed);
  const tests = await runProjectTests(task.place.root);
  if (tests.kind === "none") return yes(task, { ...changed, note: "no_test_command" });
  if (tests.kind === "passed") return yes(task, { ...changed, test_command: tests.command });
  const { command, exitCode, said } = tests;
  return no(task, "tests_failed", {
    ...changed,
    test_command: command,
    test_exit_code: exitCode,
    output: said,
  });
}

async function verifyReview(task: Task, key: StoryKey): Promise<Verified> {
  const { root } = task.place;
  const sprint = findStory((await readSprint(root)) ?? [], task.story)?.status;
  const [file] = await storyFiles(root, key);
  const text = file === undefined ? undefined : await readIfThere(join(root, file));
  const status = text === undefined ? undefined : storyStatus(text);
  const seen = { sprint_status: sprint ?? "not_found", story_status: status ?? "not_found" };
  if (sprint !== "done" && status !== "done") return no(task, "workflow_not_complete", seen);
  const findings = blockingFindings(text ?? "");
  if (findings.length > 0) return no(task, "blocking_findings", { ...seen, findings });
  // The first of the two that says done decides.
  if (sprint === "done") return yes(task, { source: "sprint-status.yaml", ...seen });
  return yes(task, { source: "story-file", ...seen, note: "sprint_status_not_updated" });
}

async function verifyRetro(task: Task): Promise<Verified> {
  const epic = epicOf(task.story);
  if (epic === undefined) return no(task, "verifier_contract_invalid", { error: "no epic" });
  const spawn = await spawnOf(task);
  if (spawn === undefined) return no(task, "spawn_unknown");
  const found = await retrospectives(task.place.root, epic);
  const fresh = found.find(({ changedAt, size }) => changedAt >= spawn.at && size > 0);
  if (fresh === undefined) return no(task, "no_artifact_since_spawn", { found: found.length });
  return yes(task, { source: "retrospective", artifact: fresh.path });
}

async function spawnOf({ place, step, story }: Task): Promise<Spawn | undefined> {
  return lastSpawn(await readLedger(place.ledger), { step, story });
}

const yes = ({ step, story }: Task, more: Record<string, unknown>): Verified => ({
  verified: true,
  step,
  story,
  ...more,
});

const no = (
  { step, story }: Task,
  reason: string,
  more: Record<string, unknown> = {},
): Verified => ({
  verified: false,
  step,
  story,
  reason,
  ...more,
});
