// Open gates, with an answer box on those that wait for a person.
import type { GateView } from "../../api/gates.ts";
import { inProject } from "../api.ts";
import { facts } from "../facts.ts";
import { projectWords } from "../links.ts";
import { Ago } from "../now.tsx";
import { Answer } from "../question.tsx";
import { Part } from "./part.tsx";

export const Gates = ({ project }: { project: string }) => (
  <Part<GateView>
    title={`Gates of ${project}`}
    shown={["Gates", ...projectWords(project)].join(" of ")}
    path={inProject("/v1/gates", project)}
    none="No gate is open."
    keyOf={({ id }) => id}
    row={(gate) => <Gate gate={gate} />}
  />
);

function Gate({ gate }: { gate: GateView }) {
  const asked = facts.value?.asked.find(
    (one) => one.project === gate.project && one.identity === `gate:${gate.id}`,
  );
  return (
    <>
      <strong>{gate.title || gate.id}</strong>{" "}
      <span class={`chip ${gate.state === "overdue" ? "bad" : "warn"}`}>{gate.state}</span>
      <p>
        waits for {gate.waits_for}
        {gate.seen !== "" && `; last seen: ${gate.seen}`}
      </p>
      <p class="meta">
        opened <Ago at={gate.opened_at} /> by {gate.by}
        {gate.waiters.length > 0 && ` · waiting: ${gate.waiters.join(", ")}`}
      </p>
      {asked !== undefined && <Answer asked={asked} />}
    </>
  );
}
