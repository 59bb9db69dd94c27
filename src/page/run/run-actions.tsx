// What a person can do with a run that is not over. Only what applies is offered, and an agent that works
// is stopped by a second click.
import { useSignal } from "@preact/signals";
import type { RunView } from "../../api/runs.ts";
import { useAct } from "../act.ts";
import { inProject, part } from "../api.ts";
import { Trouble } from "../trouble.tsx";
import { verbsOf } from "./verbs-of.ts";

export function RunActions({ run }: { run: RunView }) {
  const { project, stopped_by: stoppedBy } = run;
  const doing = useAct({ again: true });
  const isAsked = useSignal(false);
  const act = (verb: string): void => {
    isAsked.value = false;
    doing.send(inProject(`/v1/runs/${part(run.run)}/${verb}`, project), {});
  };
  const isStopped = typeof stoppedBy === "string";
  return (
    <>
      <div class="choices">
        {!isStopped && !isAsked.value && (
          <button type="button" disabled={doing.isSent} onClick={() => (isAsked.value = true)}>
            Stop
          </button>
        )}
        {verbsOf(run).map((verb) => (
          <button
            key={verb}
            type="button"
            disabled={doing.isSent}
            onClick={() => act(verb.toLowerCase())}
          >
            {verb}
          </button>
        ))}
      </div>
      {isAsked.value && (
        <div class="choices" role="group" aria-label="Stop this run?">
          <span>End its agent? Its work is saved, and Retry resumes it.</span>
          <button type="button" class="main" onClick={() => act("stop")}>
            Stop the agent
          </button>
          <button type="button" onClick={() => (isAsked.value = false)}>
            Let it work
          </button>
        </div>
      )}
      <Trouble of={doing} />
    </>
  );
}
