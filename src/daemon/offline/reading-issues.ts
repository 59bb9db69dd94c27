// `pawl issue list` where no daemon runs, of a project without a forge: the same view as the API's.
import type { IssueView } from "../../api/issues.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectAsked, type Asked } from "../routes/context.ts";
import { hasOwnTracker } from "../views/fresh-project.ts";
import { issueView } from "../views/issues.ts";
import { issuesOf } from "./own-issues.ts";
import { readJournal } from "./read-journal.ts";

const STATES = ["open", "closed", "all"] as const;

/** Undefined where this is left to the API: pages, a forge over a network, an unknown state. */
export function readIssues(
  place: FactoryPlace,
  asked: Asked,
  words: Record<string, string>,
): Promise<IssueView[] | undefined> {
  const { state: wanted = "open", label, limit, after } = words;
  const state = STATES.find((one) => one === wanted);
  if (state === undefined || limit !== undefined || after !== undefined) {
    return Promise.resolve(undefined);
  }
  return readJournal(place, async ({ store, now }) => {
    const project = await projectAsked({ store }, asked);
    if (!hasOwnTracker(project)) return undefined;
    const issues = await (await issuesOf(store, project, now)).issues({ state });
    return issues
      .filter(({ labels }) => label === undefined || labels.includes(label))
      .map(issueView);
  });
}
