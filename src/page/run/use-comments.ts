// Comments on lines of one run. They cost the daemon nothing to read, so that a person sees at once
// that the agent has read one.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { CommentView } from "../../api/run-changes.ts";
import { get, inProject, part, post } from "../api.ts";
import { versionOf } from "../facts.ts";
import { createReader } from "../reader.ts";
import type { Place } from "./comments.tsx";

const PAUSE_MS = 100;

export function useComments(project: string, id: string) {
  const comments = useSignal<CommentView[]>([]);
  const path = inProject(`/v1/runs/${part(id)}/comments`, project);
  const read = useMemo(
    () =>
      createReader(async () => {
        // Where it cannot be read, the run's own reading says why.
        comments.value = await get<CommentView[]>(path).catch(() => comments.value);
      }, PAUSE_MS),
    [],
  );
  useEffect(read, [versionOf(project, id)]);
  const comment = async (place: Place, text: string): Promise<void> => {
    comments.value = await post<CommentView[]>(path, { ...place, text });
  };
  return { comments, comment };
}
