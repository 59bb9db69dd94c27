// Who changed an issue under a run: accounts are named, so that a reader of the reason can ask
// them.
// One request, and only where something was changed.
import type { Forge, IssueChange } from "../../ports/forge.ts";

/** The last one who did this; nothing where the forge cannot tell. */
export async function whoDid(
  forge: Pick<Forge, "timeline">,
  { issue, change }: { issue: number; change: Pick<IssueChange, "kind" | "label"> },
): Promise<{ by?: string }> {
  const changes = (await forge.timeline?.(issue)) ?? [];
  const last = changes.findLast(
    ({ kind, label }) => kind === change.kind && label === change.label,
  );
  return last === undefined ? {} : { by: last.by };
}
