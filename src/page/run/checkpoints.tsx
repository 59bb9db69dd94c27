// What was saved of the workspace: a list, a look into each, and a copy of it in a folder.
import { useSignal } from "@preact/signals";
import type { CheckpointContentView, CheckpointView, RestoredView } from "../../api/checkpoints.ts";
import { get, inProject, part, post } from "../api.ts";
import { ago } from "../time.ts";
import { Lazy } from "./lazy.tsx";
import { wordsOf } from "./use-parts.ts";

type Of = { project: string; identity: string };

const SHOWN = 20;

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
          {ago(one.at, Date.now())} · {one.reason} · {one.files} files
        </span>
        <button type="button" onClick={restore}>
          Restore into a new folder
        </button>
      </div>
      {said.value !== undefined && <p role="status">{said.value}</p>}
      <Lazy
        title={`Look into checkpoint ${one.number}`}
        load={() => get<CheckpointContentView>(inProject(path, project))}
      >
        {({ changes, skipped }) => (
          <>
            <ul>
              {changes.map((change) => (
                <li key={change.path}>
                  {change.status} <code>{change.path}</code>
                </li>
              ))}
            </ul>
            {skipped.length > 0 && <p class="warning">Not saved: {skipped.join(", ")}</p>}
          </>
        )}
      </Lazy>
    </li>
  );
}
