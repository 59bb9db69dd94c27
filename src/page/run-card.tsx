// A run at work, on one card: who works with what, what it does now, how full, dear and busy it is,
// and how CI and the merge queue stand.
import { useMemo } from "preact/hooks";
import type { RunView } from "../api/runs.ts";
import { ForgeLink } from "./forge-link.tsx";
import { projectWords } from "./links.ts";
import { crashesOf, nameOf } from "./name-of.ts";
import { Ago } from "./now.tsx";
import { linkTo } from "./route.ts";
import { Sparkline } from "./sparkline.tsx";

/** Its place in the merge queue, from 1; undefined where it is not in it. */
export type Place = { position: number; status: string } | undefined;

type CardProps = { run: RunView; place: Place };

/** Drawn again only where it changed: of two hundred cards, one does. */
export function RunCard({ run, place }: CardProps) {
  const projects = projectWords(run.project).join("");
  return useMemo(
    () => <Card run={run} place={place} />,
    [run, place?.position, place?.status, projects],
  );
}

const Card = ({ run, place }: CardProps) => (
  <article class="card">
    <h3>
      <a href={linkTo({ view: "run", project: run.project, ref: run.run })}>{nameOf(run)}</a>
    </h3>
    <Doing run={run} />
    {run.warnings.slice(-1).map((text) => (
      <p class="warning" key={text}>
        {text}
      </p>
    ))}
    <div class="chips">
      <Ci run={run} />
      {place !== undefined && (
        <span class="chip">
          queue {place.position}: {place.status}
        </span>
      )}
      {run.waiting !== null && !HAS_OWN_CHIP.includes(run.waiting) && (
        <span class="chip">waits for {run.waiting}</span>
      )}
      {run.crashes > 0 && <span class="chip bad">{crashesOf(run)}</span>}
      {typeof run.context_percent === "number" && (
        <span class={`chip ${run.context_percent >= FULL_PERCENT ? "warn" : ""}`}>
          context {Math.round(run.context_percent)} %
        </span>
      )}
      {(run.cost_usd ?? 0) > 0 && <span class="chip">${(run.cost_usd ?? 0).toFixed(2)}</span>}
      {run.activity !== undefined && <Sparkline counts={run.activity} />}
    </div>
    <p class="meta">
      {[...projectWords(run.project), run.identity, agentOf(run)].join(" · ")}
      <ForgeLink url={run.issue_url} text="issue" /> · started <Ago at={run.requested_at} />
      {run.last_progress !== null && (
        <>
          , active <Ago at={run.last_progress} />
        </>
      )}
    </p>
  </article>
);

/** Its own last words or tool; without any, or where it is not at work, what Pawl knows. */
function Doing({ run: { doing, work_summary: words, title } }: Pick<CardProps, "run">) {
  const isTold = words !== "" && words !== title;
  // The column says already that it works.
  const isSaid = isTold && doing === "working";
  return (
    <>
      {!isSaid && <p>{doing}</p>}
      {isTold && <p class={isSaid ? "question" : "words"}>{words}</p>}
    </>
  );
}

const agentOf = ({ agent, model }: RunView): string => [agent, model].filter(Boolean).join(" ");

const FULL_PERCENT = 80;
/** The chips of CI and of the merge queue say more. */
const HAS_OWN_CHIP = ["ci", "queue"];
const CI_CLASS = { running: "busy", passed: "good", failed: "bad", infra: "warn" } as const;

function Ci({ run: { ci } }: { run: RunView }) {
  if (ci === null || ci === undefined) return null;
  return (
    <span class={`chip ${CI_CLASS[ci.state]}`}>
      CI {ci.state}
      {ci.state === "failed" && ci.detail !== null && `: ${ci.detail}`}
    </span>
  );
}
