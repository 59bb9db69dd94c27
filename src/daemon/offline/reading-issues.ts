// `pawl issue list` where no daemon runs, of a project without a forge: the same view as the API's.
import type { IssueView } from "../../api/issues.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectAsked, type Asked } from "../routes/context.ts";
import { hasOwnTracker } from "../views/fresh-project.ts";
import { issueView } from "../views/issues.ts";
import { issuesOf } from "./own-issues.ts";
import { readJournal } from "./read-journal.ts";

const STATES = ["open", "closed", "all"] as const;

/** Undefined where this is left to the API: a forge over a network, words that it refuses. */
export function readIssues(
  place: FactoryPlace,
  asked: Asked,
  words: Record<string, string>,
): Promise<IssueView[] | undefined> {
  const { state: wanted = "open", label, limit, after = "0" } = words;
  const state = STATES.find((one) => one === wanted);
  const isPage = limit !== undefined && /^\d{1,3}$/.test(limit) && /^\d{1,15}$/.test(after);
  const isWhole = limit === undefined && words["after"] === undefined;
  if (state === undefined || (!isPage && !isWhole)) return Promise.resolve(undefined);
  return readJournal(place, async ({ store, now }) => {
    const project = await projectAsked({ store }, asked);
    if (!hasOwnTracker(project)) return undefined;
    const forge = await issuesOf(store, project, now);
    if (isPage && forge.issuePage !== undefined) {
      const query = { state, label, after: Number(after), limit: Number(limit) };
      return (await forge.issuePage(query)).map(issueView);
    }
    return (await forge.issues({ state }))
      .filter(({ labels }) => label === undefined || labels.includes(label))
      .map(issueView);
  });
}
