// What carrying out an effect says, in a world where everything goes well unless the story says not.
import type { CheckOutcome } from "../../../src/core/check.ts";
import type { Effect } from "../../../src/core/effect.ts";
import type { Event } from "../../../src/core/event.ts";
import { commitId, treeId } from "../../../src/core/ids.ts";
import { symptomsOn } from "../../../src/core/session/context-use.ts";
import { parseDuration } from "../../../src/lib/duration.ts";
import { passed, red } from "../outcomes.ts";
import type { Command } from "./transcript.ts";

export function outcomeOf(effect: Effect, command: Command, at: number): Event | undefined {
  const { options, words } = command;
  switch (effect.kind) {
    case "claim-issue":
      if (words[2] === "lost") return { kind: "claim-lost", at, why: "another factory has it" };
      return { kind: "issue-claimed", at, issue: issue(effect.issue) };
    case "prepare-workspace": {
      const base = commitId("base");
      return { kind: "workspace-prepared", at, base, head: base, found: false };
    }
    case "fetch-branch":
      return {
        kind: "branch-fetched",
        at,
        ordinal: effect.ordinal,
        head: commitId(options["head"] ?? "aaa1"),
        ahead: Number(options["ahead"] ?? 1),
        dirty: [],
        landed: options["landed"] === "yes",
      };
    case "publish-branch":
      return { kind: "branch-published", at, head: effect.head, pr: 7 };
    case "check-branch":
      return checked(effect, command, at);
    case "settle-issue":
      return { kind: "issue-settled", at };
    case "finish-pr":
      return { kind: "pr-finished", at };
    case "checkpoint":
      return { kind: "checkpoint-made", at, outcome: { kind: "absent" } };
    case "remove-workspace":
      return { kind: "workspace-removed", at };
    default:
      return sessionOutcome(effect, command, at);
  }
}

/** `attached`, `cpu=90s`, `clock=10:00:00`, `context=70`, `files=a`, `shows="…"`: what a look sees. */
export function sightingOf({ words, options }: Command, at: number) {
  const { cpu, clock, context, files, shows } = options;
  const cpuMs = cpu === undefined ? undefined : parseDuration(cpu);
  const percent = context === undefined ? undefined : Number(context);
  const shown = shows === undefined ? undefined : symptomsOn(shows);
  const attached = words.includes("attached");
  const sighting = { cpuMs, running: undefined, clock, percent, files, shown };
  return { kind: "session-seen", at, attached, sighting } as const;
}

function sessionOutcome(effect: Effect, command: Command, at: number): Event | undefined {
  switch (effect.kind) {
    case "spawn-session":
      return {
        kind: "session-spawned",
        at,
        epoch: effect.epoch,
        pane: { socket: "pawl", tmuxSession: "dev-toy-42", pane: "%1" },
        process: { pid: 1000 + effect.epoch, startTime: "1" },
        phaseLink: "linked",
        told: effect.tell.map(({ id }) => id),
      };
    case "end-session":
      return { kind: "session-ended", at, epoch: effect.marks.epoch };
    case "deliver-message":
      return { kind: "message-delivered", at, epoch: effect.epoch, id: effect.id };
    case "look-at-session":
      if (command.words[2] === "unseen") return { kind: "session-unseen", at, epoch: effect.epoch };
      return { ...sightingOf(command, at), epoch: effect.epoch, asked: true };
    case "unlink-phase":
    case "delete-branch":
    case "post-status":
    case "notify":
      return undefined;
    default:
      throw new Error(`the outcome of ${effect.kind} is not told in these stories`);
  }
}

function checked(
  { head }: Extract<Effect, { kind: "check-branch" }>,
  { words, options }: Command,
  at: number,
): Event {
  if (words[2] === "conflict") {
    const files = (options["files"] ?? "a.txt").split(",");
    return { kind: "check-conflicted", at, head, target: commitId("target"), files };
  }
  const outcome = check(words[2] ?? "green");
  return { kind: "check-finished", at, head, tree: treeId("tree"), outcome };
}

export function check(name: string): CheckOutcome {
  if (name === "red") return red();
  if (name === "infra") {
    return { kind: "infra", tree: treeId("tree"), message: "no space left on device", logTail: "" };
  }
  return passed();
}

const issue = (number: number) => ({
  number,
  title: `Issue ${number}`,
  body: "Do it.",
  state: "open" as const,
  labels: ["in-progress"],
  author: "ada",
  createdAt: 0,
  updatedAt: 0,
  url: undefined,
});
