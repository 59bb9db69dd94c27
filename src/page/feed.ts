// Follows the daemon's change feed and resumes it by number after a break, so that no change is
// missed and none is shown twice.
import { signal } from "@preact/signals";
import type { ChangedView } from "../api/changes.ts";
import { CallError, openChanges } from "./api.ts";

const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 5000;

export type Connection = "connecting" | "live" | "lost" | "revoked";

export const connection = signal<Connection>("connecting");
/** What the daemon said, where it answered and refused. */
export const lostWhy = signal<string | undefined>(undefined);

/** Undefined: anything may have changed. */
type OnChange = (changed: ChangedView | undefined) => void;

/** Calls when the stream has begun, and then at every change. Gives the way to stop. */
export function follow(onChange: OnChange): () => void {
  const gone = new AbortController();
  run(onChange, gone.signal).catch((error: unknown) => console.error(error));
  return () => gone.abort();
}

async function run(onChange: OnChange, gone: AbortSignal): Promise<void> {
  let after: number | undefined;
  let retryMs = RETRY_MIN_MS;
  while (!gone.aborted) {
    try {
      const stream = await openChanges(after, { query: "?views=true", signal: gone });
      connection.value = "live";
      retryMs = RETRY_MIN_MS;
      // A new stream says where it begins, and all is read then, once. One that is resumed may come from
      // another daemon.
      if (after !== undefined) onChange(undefined);
      for await (const { id, views } of eventsIn(stream)) {
        after = id;
        onChange(views);
      }
    } catch (error) {
      if (error instanceof CallError && error.code === "not-paired") {
        connection.value = "revoked";
        return;
      }
      lostWhy.value = error instanceof CallError ? error.message : undefined;
    }
    if (gone.aborted) return;
    connection.value = "lost";
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  }
}

/** The events of a stream that have a number; `views` where they say what changed. */
export async function* eventsIn(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: number; views: ChangedView | undefined }> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      yield* events.flatMap(eventIn);
    }
  } finally {
    await reader.cancel();
  }
}

function eventIn(text: string): { id: number; views: ChangedView | undefined }[] {
  const id = /^id: ?(\d+)$/m.exec(text)?.[1];
  if (id === undefined) return [];
  const views = /^event: ?views\ndata: ?(.*)$/m.exec(text)?.[1];
  return [
    {
      id: Number(id),
      views: views === undefined ? undefined : (JSON.parse(views) as ChangedView),
    },
  ];
}
