// What was saved of the workspace: a list, a look into each, and a copy of it in a folder.
import { useSignal } from "@preact/signals";
import type { CheckpointContentView, CheckpointView, RestoredView } from "../../api/checkpoints.ts";
import { get, inProject, part, post } from "../api.ts";
import { ago } from "../time.ts";
import { Lazy } from "./lazy.tsx";
import { wordsOf } from "./use-parts.ts";

type Of = { project: string; identity: string };

const SHOWN = 20;
const DIFF_SHOWN_CHARS = 64_000;

export const Checkpoints = ({ project, identity }: Of) => (
  <Lazy
    title="Checkpoints"
    load={() =>
      get<CheckpointView[]>(inProject(`/v1/checkpoints/${part(identity)}?limit=${SHOWN}`, project))
    }
  >
    {(list) =>
      list.length === 0 ? (
        <p class="quiet">Nothing was saved yet.</p>
      ) : (
        <ol class="entries">
          {list.map((one) => (
            <Saved key={one.number} project={project} one={one} />
          ))}
        </ol>
      )
    }
  </Lazy>
);

function Saved({ project, one }: { project: string; one: CheckpointView }) {
  const said = useSignal<string | undefined>(undefined);
  const path = `/v1/checkpoints/${part(one.identity)}/${one.number}`;
  const restore = (): void => {
    post<RestoredView>(inProject(`${path}/restore`, project), {}).then(
      (restored) => (said.value = `Restored into ${restored.path}`),
      (error: unknown) => (said.value = wordsOf(error)),
    );
  };
  return (
    <li class="card">
      <div class="bar">
        <strong>{one.number}</strong>
        <span class="quiet">
          {ago(one.at, Date.now())} · {one.reason}
          {one.files > 0 && ` · ${one.files} ${one.files === 1 ? "file" : "files"} changed`}
        </span>
        <button type="button" onClick={restore}>
          Restore into a new folder
        </button>
      </div>
      {said.value !== undefined && <p role="status">{said.value}</p>}
      <Lazy title={`Show checkpoint ${one.number}`} load={() => readSaved(path, project)}>
        {({ content: { changes, skipped }, diff }) => (
          <>
            {changes.length > 0 && (
              <>
                <p>Not committed at that moment:</p>
                <ul>
                  {changes.map((change) => (
                    <li key={change.path}>
                      {CHANGED[change.status]} <code>{change.path}</code>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {skipped.length > 0 && <p class="warning">Not saved: {skipped.join(", ")}</p>}
            <p>{diff === "" ? "Nothing changed since the one before." : "Since the one before:"}</p>
            {diff !== "" && <pre tabIndex={0}>{diff.slice(0, DIFF_SHOWN_CHARS)}</pre>}
          </>
        )}
      </Lazy>
    </li>
  );
}

const CHANGED = { A: "added", M: "changed", D: "removed" };

/** What was not committed, and what is new since the checkpoint before, committed or not. */
async function readSaved(
  path: string,
  project: string,
): Promise<{ content: CheckpointContentView; diff: string }> {
  const [content, { diff }] = await Promise.all([
    get<CheckpointContentView>(inProject(path, project)),
    get<{ diff: string }>(inProject(`${path}/diff`, project)),
  ]);
  return { content, diff };
}
