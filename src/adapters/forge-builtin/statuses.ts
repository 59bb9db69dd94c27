// What is said of commits in the built-in tracker: one status per context. Works inside the
// caller's transaction.
import type { Commit } from "../../core/ids.ts";
import type { Status } from "../../ports/forge.ts";
import type { RecordReader, RecordWriter } from "../../ports/store.ts";
import type { Collections } from "./collections.ts";

type StoredStatus = Omit<Status, "url"> & { url?: string };

export async function listStatuses(
  records: RecordReader,
  on: Collections,
  commit: Commit,
): Promise<Status[]> {
  const all = await records.list<StoredStatus>(on.statuses(commit));
  return all
    .map(({ value }) => ({ ...value, url: value.url }))
    .toSorted((a, b) => a.context.localeCompare(b.context));
}

export async function putStatus(
  records: RecordWriter,
  on: Collections,
  input: { commit: Commit; status: Status },
): Promise<void> {
  const { url, ...status } = input.status;
  const stored: StoredStatus = url === undefined ? status : { ...status, url };
  await records.put(on.statuses(input.commit), status.context, stored);
}
