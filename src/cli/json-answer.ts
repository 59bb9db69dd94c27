// `--json` of commands that change something: stdout is the daemon's answer, whole, instead of the
// few words that people get. Commands that print JSON themselves keep their own option.
import type { Command } from "@commander-js/extra-typings";
import type { Deps } from "./deps.ts";
import { jsonText } from "./output/text.ts";

/** As they are typed. Each asks the daemon for one change, and its answer is what changed. */
const WRITES = new Set([
  ...["add", "edit", "comment", "close", "reopen"].map((verb) => `issue ${verb}`),
  ...["remove", "approve", "priority", "pause", "resume"].map((verb) => `merge-queue ${verb}`),
  ...["send", "reply", "ack"].map((verb) => `mail ${verb}`),
  "init",
  "page revoke",
  "stop",
  "retry",
  "hold",
  "release",
  "nudge",
  "pr review",
  "formula stop",
  "gate close",
  "escalation answer",
  "schedule run",
  "plugin run",
]);

export function addJsonOption(command: Command, path: string[] = [command.name()]): void {
  for (const sub of command.commands as unknown as Command[]) {
    addJsonOption(sub, [...path, sub.name()]);
  }
  if (!WRITES.has(path.join(" "))) return;
  command.option("--json", "print JSON: what was changed");
  answering.add(command);
}

/** The commands whose `--json` is answered here. */
const answering = new WeakSet<Command>();

export function wantsAnswer(command: Command): boolean {
  const { json, dryRun } = command.opts() as { json?: boolean; dryRun?: boolean };
  // A dry run changes nothing, and shows what it would write.
  return answering.has(command) && json === true && dryRun !== true;
}

/** Keeps the last answer of the daemon to a change; `print` writes it. */
export function keepAnswer(deps: Deps): { deps: Deps; print: () => void } {
  let last: { answer: unknown } | undefined;
  const { client } = deps;
  const kept = async <T>(answer: Promise<T>): Promise<T> => {
    last = { answer: await answer };
    return last.answer as T;
  };
  return {
    deps: {
      ...deps,
      stdout: () => undefined,
      client: {
        ...client,
        post: (path, body) => kept(client.post(path, body)),
        patch: (path, body) => kept(client.patch(path, body)),
      },
    },
    print: () => {
      if (last !== undefined) deps.stdout(jsonText(last.answer));
    },
  };
}
