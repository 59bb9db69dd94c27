// Three lanes: what needs you, what is being worked on, what is done. What they show is read in facts.ts.
import { useEffect } from "preact/hooks";
import type { StatusView } from "../api/runs.ts";
import { DoneLane } from "./done-lane.tsx";
import type { Facts } from "./facts.ts";
import { drawRest, first, Lane } from "./lane.tsx";
import { projectWords } from "./links.ts";
import { Question } from "./question.tsx";
import { prepareTerminal } from "./run/terminal.tsx";
import { RunCard, type Place } from "./run-card.tsx";
import { Summary } from "./summary.tsx";
import { WaitCard } from "./wait-card.tsx";

/** `project`: the one that a person chose. */
type HomeProps = { facts: Facts; project: string | undefined };

export function Home({ facts, project }: HomeProps) {
  const { status, asked, done, vault } = facts;
  // What an answer settles is a card with an answer box.
  const others = status.waits.filter(({ needs_you, question }) => needs_you && !question);
  const working = status.runs.filter(({ outcome, needs_you }) => outcome === null && !needs_you);
  const places = placesIn(status);
  // Cards lead to terminals.
  useEffect(() => drawRest(prepareTerminal), []);
  return (
    <>
      <h1 class="unseen">Home</h1>
      <Summary facts={facts} />
      <div class="lanes">
        <Lane
          title="Needs you"
          isNeed
          count={asked.length + others.length}
          none="Nothing needs you."
        >
          {first(asked).map((one) => (
            <Question key={`${one.project} ${one.identity} ${one.since}`} asked={one} />
          ))}
          {first(others).map((one) => (
            <WaitCard key={`${one.project} ${one.about} ${one.why}`} wait={one} vault={vault} />
          ))}
        </Lane>
        <Lane title="Working" count={working.length} none={<NoWork status={status} />}>
          {first(working).map((run) => (
            <RunCard
              key={`${run.project} ${run.run}`}
              run={run}
              place={places.get(`${run.project} ${run.branch}`)}
            />
          ))}
        </Lane>
        <DoneLane done={done} project={project} />
      </div>
    </>
  );
}

/** Why, and what gives agents work. */
const NoWork = ({ status: { projects } }: { status: StatusView }) => (
  <>
    No agent is at work.
    {projects.flatMap(({ name, no_work: why, progress = [] }) =>
      [...(typeof why === "string" ? [why] : []), ...progress].map((text) => (
        <span class="line" key={`${name} ${text}`}>
          {text.startsWith(name) ? text : [...projectWords(name), text].join(": ")}
        </span>
      )),
    )}
    {projects.length === 0 ? (
      <span class="line">
        No project is registered: run <code>pawl init</code> in a repository.
      </span>
    ) : (
      projects.every(({ no_work: why }) => typeof why === "string") && (
        <span class="line">
          <code>pawl issue add --title "…"</code> files one for an agent.
        </span>
      )
    )}
  </>
);

function placesIn({ queue }: StatusView): Map<string, Place> {
  return new Map(
    queue.map(({ project, branch, status, position }) => [
      `${project} ${branch}`,
      { status, position: Number(position) },
    ]),
  );
}
