// Follows the daemon's change feed and resumes it by number after a break, so that no change is
// missed and none is shown twice.
import { signal } from "@preact/signals";
import { CallError, openChanges } from "./api.ts";

const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 5000;

export type Connection = "connecting" | "live" | "lost" | "revoked";

export const connection = signal<Connection>("connecting");
/** What the daemon said, where it answered and refused. */
export const lostWhy = signal<string | undefined>(undefined);

/** Calls at once, and then at every change. Gives the way to stop. */
export function follow(onChange: () => void): () => void {
  const gone = new AbortController();
  run(onChange, gone.signal).catch((error: unknown) => console.error(error));
  return () => gone.abort();
}

async function run(onChange: () => void, gone: AbortSignal): Promise<void> {
  let after: number | undefined;
  let retryMs = RETRY_MIN_MS;
  while (!gone.aborted) {
    try {
      const stream = await openChanges(after, { signal: gone });
      connection.value = "live";
      retryMs = RETRY_MIN_MS;
      // What changed before the stream began is read whole.
      onChange();
      for await (const id of idsIn(stream)) {
        after = id;
        onChange();
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

/** The numbers of the events in a stream of server-sent events. */
export async function* idsIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<number> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      yield* events.flatMap(idOf);
    }
  } finally {
    await reader.cancel();
  }
}

const idOf = (event: string): number[] =>
  [/^id: ?(\d+)$/m.exec(event)?.[1]].flatMap((id) => (id === undefined ? [] : [Number(id)]));
