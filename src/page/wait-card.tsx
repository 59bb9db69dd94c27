// What only a person can settle and no answer does: a held landing, a stopped queue, a run that was
// given up, an action in the vault.
import { plainReason } from "../api/queue-names.ts";
import type { RunView, WaitView } from "../api/runs.ts";
import type { VaultView } from "../api/vault.ts";
import { useAct } from "./act.ts";
import { inProject, part } from "./api.ts";
import { facts } from "./facts.ts";
import { projectWords } from "./links.ts";
import { nameOf } from "./name-of.ts";
import { Ago } from "./now.tsx";
import { linkTo } from "./route.ts";
import { Trouble } from "./trouble.tsx";

export function WaitCard({ wait, vault }: { wait: WaitView; vault: readonly VaultView[] }) {
  const { act } = wait;
  if (act?.kind === "vault") {
    const item = vault.find(({ project, id }) => project === wait.project && id === act.item);
    if (item !== undefined) return <VaultCard item={item} />;
  }
  const run = runOf(wait);
  return (
    <article class="card needs">
      <h3>{run === undefined ? wait.about : <RunLink run={run} />}</h3>
      <p class="question">{reasonOf(wait)}</p>
      {firstCommand(wait).map((command) => (
        <p class="meta" key={command}>
          first: <code>{command}</code>
        </p>
      ))}
      {act !== undefined && act.kind !== "vault" && <WaitButton wait={wait} act={act} />}
      {wait.command !== null && (
        <p class="meta">
          <code>{wait.command}</code>
        </p>
      )}
      {projectWords(wait.project).map((name) => (
        <p class="meta" key={name}>
          {name}
        </p>
      ))}
    </article>
  );
}

/** Of the merge queue, in the words for a person; what an agent or a person wrote stays as it is. */
const reasonOf = ({ why, act }: WaitView): string =>
  act?.kind === "approve-entry" ? plainReason(why) : why;

/** The same text would fail again: it is changed first. */
const firstCommand = ({ why, act }: WaitView): string[] =>
  act?.kind === "retry" && why.includes("has no fenced block")
    ? [`pawl issue edit ${act.ref} --body-file FILE`]
    : [];

const RunLink = ({ run }: { run: RunView }) => (
  <a href={linkTo({ view: "run", project: run.project, ref: run.run })}>{nameOf(run)}</a>
);

/** The run whose branch or number it is about. */
const runOf = ({ project, about, act }: WaitView): RunView | undefined =>
  facts.value?.status.runs.find(
    (run) =>
      run.project === project &&
      (run.branch === about || (act?.kind === "retry" && act.ref === run.run)),
  );

type Button = { text: string; path: string; body: object };

function buttonFor(act: NonNullable<WaitView["act"]>): Button | undefined {
  switch (act.kind) {
    case "approve-entry":
      return { text: "Approve", path: "/v1/queue/approve", body: { entry: act.entry } };
    case "resume-queue":
      return { text: "Resume", path: "/v1/queue/resume", body: {} };
    case "retry":
      return { text: "Try again", path: `/v1/runs/${part(act.ref)}/retry`, body: {} };
    case "vault":
      return undefined;
  }
}

function WaitButton({ wait, act }: { wait: WaitView; act: NonNullable<WaitView["act"]> }) {
  const doing = useAct();
  const button = buttonFor(act);
  if (button === undefined) return null;
  return (
    <>
      <div class="choices">
        <button
          type="button"
          class="main"
          disabled={doing.isSent}
          onClick={() => doing.send(inProject(button.path, wait.project), button.body)}
        >
          {button.text}
        </button>
      </div>
      <Trouble of={doing} />
    </>
  );
}

/** The approval names the hash of exactly the payload that is shown here. */
function VaultCard({ item }: { item: VaultView }) {
  const doing = useAct();
  const path = (verb: string): string =>
    inProject(`/v1/vault/${part(item.id)}/${verb}`, item.project);
  const isUnsure = item.status === "unsure";
  return (
    <article class="card needs" aria-label={`Vault item ${item.id}`}>
      <h3>
        {item.run === null ? (
          item.what
        ) : (
          <a href={linkTo({ view: "run", project: item.project, ref: item.run })}>{item.what}</a>
        )}
      </h3>
      <p>
        {item.by} asks: {item.type}, risk <strong>{item.risk}</strong>,{" "}
        {item.reversible ? "can be undone" : "cannot be undone"}
      </p>
      {isUnsure && <p class="warning">It may have happened: {item.log.at(-1)?.text}</p>}
      <pre tabIndex={0} role="group" aria-label="Payload">
        {JSON.stringify(item.payload, null, 2)}
      </pre>
      <div class="choices">
        {isUnsure ? (
          <>
            <Choice text="It happened" of={doing} send={() => confirm(true)} />
            <Choice text="It did not happen" of={doing} send={() => confirm(false)} />
          </>
        ) : (
          <>
            <Choice
              text="Approve"
              isMain
              of={doing}
              send={() => doing.send(path("approve"), { hash: item.sha256 })}
            />
            <Choice
              text="Reject"
              of={doing}
              send={() => doing.send(path("reject"), { reason: "rejected on the page" })}
            />
          </>
        )}
      </div>
      <Trouble of={doing} />
      <p class="meta">
        {[...projectWords(item.project), item.id].join(" · ")} · payload {item.sha256.slice(0, 12)}{" "}
        · asked <Ago at={item.requested_at} />
      </p>
    </article>
  );

  function confirm(happened: boolean): void {
    doing.send(path("confirm"), { happened, note: "confirmed on the page" });
  }
}

type ChoiceProps = {
  text: string;
  isMain?: boolean;
  of: ReturnType<typeof useAct>;
  send: () => void;
};

const Choice = ({ text, isMain = false, of: { isSent }, send }: ChoiceProps) => (
  <button type="button" class={isMain ? "main" : ""} disabled={isSent} onClick={send}>
    {text}
  </button>
);
