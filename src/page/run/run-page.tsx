// One run: where it stands and why, its terminal, its diff, and what you can do with it.
import type { RunView } from "../../api/runs.ts";
import { facts } from "../facts.ts";
import { ForgeLink, urlOfPr } from "../forge-link.tsx";
import { crashesOf, nameOf } from "../name-of.ts";
import { Question } from "../question.tsx";
import { ago } from "../time.ts";
import { Changes } from "./changes.tsx";
import { useComments } from "./use-comments.ts";
import { More } from "./more.tsx";
import { RunActions } from "./run-actions.tsx";
import { Terminal } from "./terminal.tsx";
import { Timeline } from "./timeline.tsx";
import { useParts } from "./use-parts.ts";

export function RunPage({ project, id }: { project: string; id: string }) {
  const { parts, trouble } = useParts(project, id);
  const { comments, comment } = useComments(project, id);
  if (parts.value === undefined) return <p class="quiet">{trouble.value ?? "Reading…"}</p>;
  const { run, why, changes } = parts.value;
  return (
    <article class="run">
      <h1>{nameOf(run)}</h1>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      <p class="meta">
        {metaOf(run).join(" · ")}
        <ForgeLink url={run.issue_url} text="issue" />
        <ForgeLink url={urlOfPr(run.issue_url, run.pr)} text={`PR ${run.pr}`} />
      </p>
      {run.outcome === null && <RunActions run={run} />}
      {facts.value?.asked
        .filter((one) => one.project === run.project && one.run === run.run)
        .map((one) => (
          <Question key={one.since} asked={one} under={1} />
        ))}
      <div class="sides">
        <div class="side">
          <section aria-label="Why" class={run.outcome === null ? "why" : ""}>
            <h2>Why it is in this state</h2>
            <ul class="reasons">
              {(why === undefined || why.length === 0 ? [run.doing] : why).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
          <Timeline project={run.project} id={run.run} isOver={run.outcome !== null} />
          <Terminal project={run.project} id={run.run} isOver={run.outcome !== null} />
        </div>
        <div class="side">
          {changes !== undefined && (
            <Changes
              changes={changes}
              comments={comments.value}
              onComment={run.outcome === null ? comment : undefined}
            />
          )}
          <More run={run} />
        </div>
      </div>
    </article>
  );
}

const metaOf = (run: RunView): string[] =>
  [
    run.project,
    run.identity,
    run.agent,
    run.outcome ?? (run.needs_you === null ? run.stage : "needs you"),
    `branch ${run.branch}`,
    run.pr === null || run.issue_url ? "" : `PR ${run.pr}`,
    `started ${ago(run.requested_at, Date.now())}`,
    run.landed_as === null ? "" : `landed as ${run.landed_as.slice(0, 10)}`,
    run.crashes === 0 ? "" : crashesOf(run),
  ].filter((text) => text !== "");
