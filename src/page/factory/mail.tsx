// Letters for you, until you acknowledge them.
import type { LetterView } from "../../api/mail.ts";
import { useAct } from "../act.ts";
import { inProject, part } from "../api.ts";
import { projectWords } from "../links.ts";
import { Ago } from "../now.tsx";
import { Trouble } from "../trouble.tsx";
import { Part } from "./part.tsx";

/** Letters of the factory belong to none. */
const NO_PROJECT = "-";

export const Mail = ({ path }: { path: string }) => (
  <Part<LetterView>
    title="Mail"
    path={path}
    none="No letter waits for you."
    keyOf={({ project, id }) => `${project} ${id}`}
    row={(letter) => <Letter letter={letter} />}
  />
);

function Letter({ letter }: { letter: LetterView }) {
  const doing = useAct();
  const path = `/v1/mail/${part(letter.id)}/ack`;
  const own = letter.project === NO_PROJECT ? path : inProject(path, letter.project);
  return (
    <>
      <strong>{letter.subject}</strong> <span class="chip">{letter.status}</span>
      <p class="words">{letter.body}</p>
      <p class="meta">
        {projectWords(letter.project).map((name) => `${name} · `)}from {letter.from} ·{" "}
        <Ago at={letter.at} />
      </p>
      <button
        type="button"
        disabled={doing.isSent}
        aria-label={`Acknowledge: ${letter.subject}`}
        onClick={() => doing.send(own, {})}
      >
        Acknowledge
      </button>
      <Trouble of={doing} />
    </>
  );
}
