// `pawl orchestrator-helper state-…`: what the state documents of orchestrations say
// (`$state_file` of an orchestrator's script). Answers are one line of JSON.
import { resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { openPlaceFor, stateFiles, type StateFile } from "../monitoring-door.ts";
import { usage } from "../options.ts";

type Context = { deps: () => Deps; finish: Finish };
type Answer = Record<string, unknown>;

export function addState(group: Command, context: Context): void {
  addLists(group, context);
  addOne(group, context);
}

const say = ({ deps, finish }: Context, answer: Answer): void => {
  deps().stdout(`${JSON.stringify(answer)}\n`);
  if (answer["ok"] !== true) finish(EXIT.failed);
};

function addLists(group: Command, context: Context): void {
  const states = async (folder: string) =>
    (await stateFiles()).listStates(resolve(context.deps().cwd, folder));
  const none = { ok: false, reason: "folder_not_found" };
  group
    .command("state-list")
    .description("the state documents orchestration-*.md of a folder")
    .argument("<folder>")
    .action(async (folder) => {
      const files = await states(folder);
      say(context, files === undefined ? none : { ok: true, files });
    });
  group
    .command("state-latest")
    .description("the newest one, or the newest with this status")
    .argument("<folder>")
    .argument("[status]")
    .action(async (folder, status) => {
      const files = await states(folder);
      const last = files?.findLast((one) => status === undefined || one.status === status);
      if (files === undefined) say(context, none);
      else
        say(
          context,
          last === undefined ? { ok: false, reason: "no_match" } : { ok: true, ...last },
        );
    });
  group
    .command("state-latest-incomplete")
    .description("the newest one that is not COMPLETE: what to resume")
    .argument("<folder>")
    .action(async (folder) => {
      const files = await states(folder);
      const last = files?.findLast((await stateFiles()).isIncomplete);
      const missing = { ok: false, reason: "no_incomplete_state" };
      if (files === undefined) say(context, none);
      else say(context, last === undefined ? missing : { ok: true, ...last });
    });
}

function addOne(group: Command, context: Context): void {
  group
    .command("state-summary")
    .description("where an orchestration stands")
    .argument("<file>")
    .action(async (file) => {
      const { root } = await openPlaceFor(context.deps());
      const state = await (
        await stateFiles()
      ).openStateFile(root, resolve(context.deps().cwd, file));
      say(context, summaryOf(state));
    });
  group
    .command("state-update")
    .description("change existing keys of the front matter")
    .argument("<file>")
    .requiredOption("--set <key=value...>")
    .action(async (file, { set }) => {
      const path = resolve(context.deps().cwd, file);
      const changes = Object.fromEntries(set.map(pair));
      const updated = await (await stateFiles()).changeState(path, changes);
      if (updated === undefined) say(context, { ok: false, reason: "state_not_found" });
      else if (updated.length === 0) say(context, { ok: false, reason: "keys_not_found" });
      else say(context, { ok: true, updated });
    });
}

const SUMMARY = ["epic", "epicName", "currentStory", "currentStep", "status", "lastUpdated"];
const POLICY = ["policyVersion", "policySnapshotFile", "policySnapshotHash"];

/** A policy that changed does not hide where the orchestration stands. */
function summaryOf(state: StateFile): Answer {
  const error = state.kind === "invalid" ? state.error : "";
  if (state.kind === "none" || state.document === undefined) {
    return { ok: false, reason: "state_invalid", policyError: error };
  }
  const { keys, lastAction } = state.document;
  const values = [...SUMMARY, ...POLICY].map((key) => [key, keys[key] ?? ""]);
  const legacyPolicy = (keys["policySnapshotFile"] ?? "") === "";
  return {
    ok: true,
    ...(Object.fromEntries(values) as Answer),
    legacyPolicy,
    lastAction,
    ...(error === "" ? {} : { policyError: error }),
  };
}

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw usage(`--set needs key=value, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}
