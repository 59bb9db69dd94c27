// A question that only a person can answer, with its choices and the answer box on the card.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { isOfBudget } from "../api/budget-question.ts";
import type { EscalationView } from "../api/escalations.ts";
import { withRelativeTimes } from "../api/spans.ts";
import { useAct } from "./act.ts";
import { inProject, part } from "./api.ts";
import { projectWords } from "./links.ts";
import { nameOf } from "./name-of.ts";
import { Ago, now, Until } from "./now.tsx";
import { linkTo } from "./route.ts";
import { Trouble } from "./trouble.tsx";

/** `under`: the level of the heading that it stands below. */
type QuestionProps = { asked: EscalationView; under?: 1 | 2 };

export const Question = ({ asked, under = 2 }: QuestionProps) => (
  <article class="card needs">
    <Heading under={under}>
      {asked.run === null ? (
        nameOf(asked)
      ) : (
        <a href={linkTo({ view: "run", project: asked.project, ref: asked.run })}>
          {nameOf(asked)}
        </a>
      )}
    </Heading>
    {withoutChoices(asked) !== asked.title && <p class="question">{questionOf(asked)}</p>}
    {asked.command === undefined ? <Answer asked={asked} /> : <code>{asked.command}</code>}
    <p class="meta">
      {[...projectWords(asked.project), asked.identity].join(" · ")} · asked{" "}
      <Ago at={asked.since} />
      {asked.deadline !== null && (
        <>
          {" "}
          · {isOfBudget(asked) ? "agents start again" : "blocked without an answer"}{" "}
          <Until at={asked.deadline} />
        </>
      )}
    </p>
  </article>
);

/** The command line numbers them behind the question; here each is a button. */
const withoutChoices = ({ reason, choices }: EscalationView): string =>
  choices.length === 0 ? reason : reason.replace(/\s*\[1\) [^]*\]$/, "");

const questionOf = (asked: EscalationView): string =>
  isOfBudget(asked) ? withRelativeTimes(asked.reason, now.value) : withoutChoices(asked);

const Heading = ({ under, children }: { under: 1 | 2; children: ComponentChildren }) =>
  under === 1 ? <h2>{children}</h2> : <h3>{children}</h3>;

export function Answer({ asked }: { asked: EscalationView }) {
  const text = useSignal("");
  const doing = useAct();
  const { isSent } = doing;
  const give = (said: string): void =>
    doing.send(answerPath(asked), { text: said, ...readOf(asked) });
  return (
    <>
      {asked.choices.length > 0 && (
        <div class="choices">
          {asked.choices.map((choice) => (
            <button key={choice} type="button" disabled={isSent} onClick={() => give(choice)}>
              {choice}
            </button>
          ))}
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.value.trim() !== "") give(text.value);
        }}
      >
        <input
          aria-label={`Answer for ${asked.identity}`}
          placeholder="Your answer"
          value={text}
          disabled={isSent}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={isSent}>
          {isSent.value ? "Sent" : "Answer"}
        </button>
      </form>
      <Trouble of={doing} />
    </>
  );
}

/** A run may ask something else by now: which question was read goes with the answer. */
const readOf = ({ run, since }: EscalationView): { since?: string } =>
  run === null ? {} : { since };

/** As the command line does: the target, a gate, or the run of an agent. */
function answerPath({ project, identity, run }: EscalationView): string {
  if (identity.startsWith("gate:")) {
    const gate = part(identity.slice("gate:".length));
    return inProject(`/v1/escalations/gate/${gate}/answer`, project);
  }
  return run === null
    ? inProject(`/v1/escalations/${part(identity)}/answer`, project)
    : inProject(`/v1/runs/${part(run)}/answer`, project);
}
