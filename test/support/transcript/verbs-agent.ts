// `agent …`: what the agent of the current run does. `epoch=N` speaks for another life.
import type { Event } from "../../../src/core/event.ts";
import { runAggregate } from "../../../src/core/ids.ts";
import { sightingOf } from "./outcomes.ts";
import type { Command } from "./transcript.ts";
import { currentRun, submit, type World } from "./world.ts";

export const agent = {
  agent: (world: World, command: Command): void => {
    const run = currentRun(world);
    submit(world, runAggregate(run.project, run.id), agentEvent(world, command));
  },
};

/** `agent says stop background=1`: an event of its hooks. Numbers are numbers, `a|b` is a list. */
function spoolText(kind: string, options: Record<string, string>): string {
  if (!/^[a-z]+$/.test(kind)) return kind;
  const value = (text: string): unknown => {
    if (/^\d+$/.test(text)) return Number(text);
    return text.includes("|") ? text.split("|") : text;
  };
  const fields = Object.entries(options)
    .filter(([name]) => name !== "epoch")
    .map(([name, text]) => [name, value(text)]);
  return JSON.stringify({ v: 1, at: 0, kind, ...Object.fromEntries(fields) });
}

function agentEvent(world: World, { words, options, line }: Command): Event {
  const [, verb, what = ""] = words;
  const epoch = Number(options["epoch"] ?? currentRun(world).session?.epoch ?? 0);
  const at = world.now;
  switch (verb) {
    case "writes": {
      world.phasesWritten += options["stamp"] === "same" ? 0 : 1;
      const reason = options["reason"] === undefined ? "" : `Reason: ${options["reason"]}\n`;
      const stamp = `s${world.phasesWritten}`;
      const { result } = options;
      const answered =
        result === undefined ? {} : { result: { kind: "text", text: result } as const };
      return {
        kind: "phase-observed",
        at,
        epoch,
        stamp,
        text: `PHASE:${what}\n${reason}`,
        ...answered,
      };
    }
    case "scribbles":
      world.phasesWritten += 1;
      return { kind: "phase-observed", at, epoch, stamp: `s${world.phasesWritten}`, text: what };
    case "exits": {
      const exit = { code: Number(what), signal: null, startedAt: 0, endedAt: at };
      return { kind: "session-exited", at, epoch, exit };
    }
    case "vanishes":
      return { kind: "session-exited", at, epoch, exit: undefined };
    case "acknowledges":
      return { kind: "message-acknowledged", at, epoch, id: what };
    case "seen":
      return { ...sightingOf({ words, options, line }, at), epoch };
    case "unseen":
      return { kind: "session-unseen", at, epoch };
    case "says":
      return { kind: "spool-received", at, epoch, name: "1.json", text: spoolText(what, options) };
    default:
      throw new Error(`an agent cannot do this: ${line}`);
  }
}
